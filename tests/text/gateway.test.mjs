// A gateway in front of a server without tool calling: official SDKs get the calls in the model's text as native ones.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { anthropicClients } from "../package/support/gateway/clients/anthropic.mjs";
import { openAIClients } from "../package/support/gateway/clients/openai.mjs";
import { post, gatewayTo as serveTo, stopGateways } from "../package/support/gateway-server.mjs";
import { folder } from "../package/support/package.mjs";
import { startProvider } from "../toolkit/support/provider.mjs";
import { families, piecesOf } from "./support/texts.mjs";

const { simulateTools } = await import(`${folder}dist/text/node.js`);
const clients = { ...openAIClients, ...anthropicClients };
const finishes = { openai: "tool_calls", "openai-responses": "completed", anthropic: "tool_use" };
let provider;

before(async () => {
  provider = await startProvider();
});
after(() => {
  provider.close();
  return stopGateways();
});

const gatewayTo = (dialect, format, more) =>
  serveTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: "k", simulate: simulateTools(format), ...more });

const says = (text, size) => ({ blocks: [{ type: "text", pieces: piecesOf(text, size) }], finish: "stop" });
/** The start of a call in the format, as the model sees its own calls in the history. */
const markOf = ({ output, mark }) => mark ?? output.slice(output.search(/[<[{]/)).slice(0, 6);

/** A question, a call, its result, and the final response. Returns what the client and what the server received. */
async function converse(client, url, { output, model }, { streams, size }) {
  provider.play(says(output, size), says("It is sunny.", size));
  const conversation = client.open({ url, model, streams });
  const first = await conversation.ask("The weather in Zürich?");
  const [{ id, name }] = first.calls;
  const last = await conversation.sendResults([{ id, name, text: "sunny" }]);
  return { first, last, requests: provider.received.map(({ body }) => body) };
}

function check({ first, last, requests }, { dialect }, family) {
  const { text = "", reasoning = "" } = family;
  assert.deepEqual(
    first.calls.map(({ name, arguments: { city } }) => [name, city]),
    [["get_weather", "Zürich"]],
  );
  assert.equal(first.finish, finishes[dialect]);
  assert.equal(first.text.trim(), text);
  // the clients do not ask for reasoning; those of OpenAI's formats get that of OpenAI's servers all the same
  assert.equal(first.reasoning, dialect.startsWith("openai") ? reasoning : "");
  assert.deepEqual([last.calls, last.text], [[], "It is sunny."]);

  assert.deepEqual(
    requests.map(({ tools, tool_choice, messages }) => [
      tools,
      tool_choice,
      messages.map(({ role }) => role).join(" "),
    ]),
    [
      [undefined, undefined, "system user"],
      [undefined, undefined, "system user assistant user"],
    ],
  );
  const [prompt, , call, result] = requests[1].messages.map(({ content }) => content);
  assert.match(prompt, /^You are brief\..*get_weather/s);
  assert.ok(call.includes(markOf(family)) && call.includes("get_weather"), call);
  assert.match(result, /sunny/);
}

for (const [format, family] of Object.entries(families)) {
  test(`${format}: a server in OpenAI's format`, { timeout: 20_000 }, async () => {
    const url = await gatewayTo("openai", { format: "auto" });
    for (const client of Object.values(clients)) {
      for (const streams of [true, false])
        check(await converse(client, url, family, { streams, size: 3 }), client, family);
    }
  });
}

test("a model in Ollama", { timeout: 20_000 }, async () => {
  const url = await gatewayTo("ollama", "hermes_json");
  for (const client of Object.values(clients)) {
    for (const streams of [true, false]) {
      const family = { ...families.hermes_json, model: "some-model" };
      check(await converse(client, url, family, { streams, size: 2 }), client, family);
    }
  }
});

test("the model that the gateway sets decides the format", { timeout: 20_000 }, async () => {
  const { output, model } = families.qwen3_xml;
  const url = await gatewayTo("openai", { format: "auto" }, { models: model });
  const { first } = await converse(
    clients["openai, Chat"],
    url,
    { output, model: "gpt-5" },
    { streams: true, size: 5 },
  );
  assert.equal(first.calls[0].name, "get_weather");
});

test("tools of a provider's own are refused, with the place", async () => {
  const url = await gatewayTo("openai", "hermes_json");
  const parameters = { type: "object" };
  const own = [
    ["/v1/responses", { input: "Hi", tools: [{ type: "function", name: "f", parameters }, { type: "web_search" }] }],
    [
      "/v1/messages",
      {
        max_tokens: 10,
        messages: [{ role: "user", content: "Hi" }],
        tools: [
          { name: "f", input_schema: parameters },
          { type: "web_search_20250305", name: "web_search" },
        ],
      },
    ],
  ];
  for (const [path, body] of own) {
    const response = await post(url + path, { model: "m", ...body });
    assert.equal(response.status, 400);
    const { error } = await response.json();
    assert.match(error.message, /provider's own tool can't be simulated.*\(at "\/tools\/1"\)/);
  }
});
