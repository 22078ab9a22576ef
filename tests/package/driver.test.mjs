// The example driver with four official SDKs, against a loopback server that simulates their providers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { spoken } from "./support/gateway-clients.mjs";
import { call, startUpstream, texts } from "./support/gateway-upstream.mjs";
import { loadExample } from "./support/package.mjs";

const { createDriver } = await loadExample("driver", "driver.js");
const { question, name, parameters, result, apiKey } = spoken;

const clients = {
  openai: (url) => new OpenAI({ apiKey, maxRetries: 0, baseURL: `${url}/openai/v1` }),
  anthropic: (url) => new Anthropic({ apiKey, maxRetries: 0, baseURL: `${url}/anthropic` }),
  google: (url) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${url}/gemini` } }),
  ollama: (url) => new Ollama({ host: `${url}/ollama` }),
};
const request = {
  model: "m",
  maxTokens: 100,
  messages: [{ role: "user", content: question }],
  tools: [{ name, parameters }],
};

let provider;
before(async () => {
  provider = await startUpstream();
});
after(() => provider.close());

for (const [kind, connect] of Object.entries(clients)) {
  for (const streams of [false, true]) {
    test(`${kind}, ${streams ? "streamed" : "whole"}: a call is run and its result sent`, {
      timeout: 20_000,
    }, async () => {
      provider.requests.length = 0;
      const driver = createDriver(kind, connect(provider.url));
      const ran = [];
      const warnings = [];
      const events = [];
      const driving = {
        onWarning: (warning) => warnings.push(warning),
        tools: {
          [name]: async (given) => {
            ran.push(given);
            return result;
          },
        },
      };
      const outcome = streams
        ? await drained(driver.streamQuery(request, driving), events)
        : await driver.query(request, driving);
      assert.deepEqual(ran, [call.arguments]);
      assert.equal(outcome.response.text, texts[1]);
      assert.equal(outcome.response.finishReason, "stop");
      assert.deepEqual(outcome.response.usage.output, 4);
      const roles = outcome.messages.map(({ role }) => role);
      assert.deepEqual(roles, ["user", "assistant", "tool", "assistant"]);
      assert.deepEqual(warnings, []);
      assert.equal(request.messages.length, 1);
      const [, { canonical }] = provider.requests;
      assert.equal(canonical.messages[2].value, result);
      if (streams) assert.deepEqual(contentOf(events), [texts[0], call.name, result, texts[1]]);
    });
  }

  test(`${kind}: an exception of a tool and an unknown tool become error results`, async () => {
    const driver = createDriver(kind, connect(provider.url));
    const broken = () => {
      throw new Error("out of order");
    };
    for (const [tools, message] of [
      [{ [name]: broken }, /out of order/],
      [{}, /there is no tool get_weather/],
    ]) {
      const { messages } = await driver.query(request, { tools });
      assert.deepEqual([messages[2].kind, message.test(messages[2].value)], ["error", true]);
    }
  });
}

test("a call that is cut off, alone in its response, gets an error result", async () => {
  const driver = createDriver("openai", clients.openai(provider.url));
  const cut = { id: "c1", type: "function", function: { name, arguments: '{"city":"Par' } };
  const turns = [{ content: null, tool_calls: [cut] }, { content: "Which city?" }];
  const responses = turns.map((message) => ({
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
  }));
  provider.instead = (_, response) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(responses.shift()));
  try {
    const { response, messages } = await driver.query(request, {});
    assert.equal(response.text, "Which city?");
    assert.deepEqual([messages[2].toolCallId, messages[2].kind], ["c1", "error"]);
  } finally {
    provider.instead = undefined;
  }
});

test("a stream that breaks off within a call is the end, with the error", async () => {
  const driver = createDriver("openai", clients.openai(provider.url));
  const cut = { index: 0, id: "c1", type: "function", function: { name, arguments: '{"city":"Par' } };
  const chunk = { id: "r", model: "m", choices: [{ index: 0, delta: { tool_calls: [cut] }, finish_reason: null }] };
  let count = 0;
  provider.instead = (_, response) => {
    count += 1;
    response.setHeader("content-type", "text/event-stream").end(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  try {
    const { response, messages } = await drained(driver.streamQuery(request, {}), []);
    assert.deepEqual([count, messages.length], [1, 2]);
    assert.deepEqual([response.finishReason, response.error.code], ["error", "api_error"]);
    assert.equal(response.invalidToolCalls[0].rawArguments, '{"city":"Par');
  } finally {
    provider.instead = undefined;
  }
});

async function drained(generator, events) {
  for (;;) {
    const { done, value } = await generator.next();
    if (done) return value;
    events.push(value);
  }
}

/** The events of a turn without ids: texts joined, calls by name, results by value, in order. */
function contentOf(events) {
  const content = [];
  let text = "";
  const end = () => {
    if (text) content.push(text);
    text = "";
  };
  for (const event of events) {
    if (event.type === "textDelta") text += event.text;
    else end();
    if (event.type === "toolCallEnd") content.push(event.call.name);
    if (event.type === "result") content.push(event.result.value);
  }
  end();
  return content;
}
