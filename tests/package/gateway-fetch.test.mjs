// `gatewayFetch`: official SDKs on any provider, without a server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { createGateway, gatewayFetch } from "./support/gateway-server.mjs";
import { startUpstream, streamOf, texts } from "./support/gateway-upstream.mjs";

let provider;
before(async () => {
  provider = await startUpstream();
});
after(() => provider.close());

const platformFetch = globalThis.fetch;
const gatewayOf = (dialect) => {
  const main = { dialect, baseUrl: `${provider.url}/${dialect}`, key: "the-key-123", models: "m" };
  return createGateway(
    { upstreams: { main }, open: true },
    { onWarning: () => {}, fetch: (request) => platformFetch(request) },
  );
};

for (const dialect of ["openai", "openai-responses", "anthropic", "gemini", "ollama"]) {
  test(`the SDKs of OpenAI, Anthropic and Google on ${dialect}`, async () => {
    const fetch = gatewayFetch(gatewayOf(dialect));
    const openai = new OpenAI({ apiKey: "none", fetch, maxRetries: 0 });
    const messages = [{ role: "user", content: "Hi" }];
    const chat = await openai.chat.completions.create({ model: "gpt-5", messages });
    assert.equal(chat.choices[0].message.content, texts[0]);
    const response = await openai.responses.stream({ model: "gpt-5", input: "Hi" }).finalResponse();
    assert.equal(response.output_text, texts[0]);

    const anthropic = new Anthropic({ apiKey: "none", fetch, maxRetries: 0 });
    const message = await anthropic.messages.stream({ model: "claude-opus-5", max_tokens: 9, messages }).finalMessage();
    assert.deepEqual(
      message.content.map(({ type, text }) => text ?? type),
      [texts[0], "tool_use"],
    );

    // this SDK has no option for it
    globalThis.fetch = fetch;
    try {
      const google = new GoogleGenAI({ apiKey: "none" });
      const request = { model: "gemini-3-pro", contents: "Hi" };
      const stream = await google.models.generateContentStream(request);
      let text = "";
      for await (const chunk of stream) text += chunk.text ?? "";
      assert.equal(text, texts[0]);
    } finally {
      globalThis.fetch = platformFetch;
    }
  });
}

test("a signal ends the request and the stream", async () => {
  const fetch = gatewayFetch(gatewayOf("openai"));
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const url = "https://api.openai.com/v1/chat/completions";
  await assert.rejects(fetch(url, { ...init, signal: AbortSignal.abort(new Error("early")) }), /early/);

  const closed = [];
  const waiting = new AbortController();
  provider.instead = (_, response) => {
    response.on("close", () => closed.push("waiting"));
    waiting.abort(new Error("late"));
  };
  await assert.rejects(fetch(url, { ...init, signal: waiting.signal }), /late/);
  provider.instead = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(streamOf("openai", true).find((piece) => piece.length > 0));
    response.on("close", () => closed.push("streaming"));
  };
  const leaving = new AbortController();
  const response = await fetch(url, { ...init, signal: leaving.signal });
  const reader = response.body.getReader();
  await reader.read();
  leaving.abort();
  for (let i = 0; i < 100 && closed.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(closed, ["waiting", "streaming"]);
  provider.instead = undefined;
});
