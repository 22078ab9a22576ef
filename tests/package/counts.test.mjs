// Counts of tokens: requests and responses between the formats whose providers count, and through a gateway.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gatewayTo, post, stopGateways } from "./support/gateway-server.mjs";
import { startUpstream } from "./support/gateway-upstream.mjs";
import { esm } from "./support/package.mjs";

const { convertCountRequest, convertCountResponse } = await import(esm);

const schema = { type: "object", properties: { city: { type: "string" } } };
const bodies = {
  anthropic: {
    model: "m",
    system: "Be brief.",
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ name: "f", input_schema: schema }],
  },
  "openai-responses": {
    model: "m",
    instructions: "Be brief.",
    input: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", name: "f", parameters: schema, strict: false }],
  },
  gemini: {
    generateContentRequest: {
      model: "models/m",
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] }],
    },
  },
};
/** What a count of each format must contain, whatever the source. */
const parts = {
  anthropic: ({ model, system, messages, tools, ...rest }) => [model, !!system, messages.length, tools[0].name, rest],
  "openai-responses": ({ model, instructions, input, tools, ...rest }) => [
    model,
    !!instructions || input.length === 2,
    instructions ? input.length : 1,
    tools[0].name,
    rest,
  ],
  gemini: ({ generateContentRequest: { model, systemInstruction, contents, tools } }) => [
    model.replace("models/", ""),
    !!systemInstruction,
    contents.length,
    tools[0].functionDeclarations[0].name,
    {},
  ],
};

for (const from of Object.keys(bodies)) {
  for (const to of Object.keys(bodies)) {
    test(`a request, ${from} → ${to}, as an object, text and bytes`, () => {
      const body = bodies[from];
      const sent = convertCountRequest(body, { from, to });
      assert.deepEqual(parts[to](sent), ["m", true, 1, "f", {}]);
      const text = JSON.stringify(body);
      assert.deepEqual(JSON.parse(convertCountRequest(text, { from, to })), sent);
      const bytes = convertCountRequest(new TextEncoder().encode(text), { from, to });
      assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes)), sent);
    });
  }
}

test("formats without counts: undefined as a target, a conversation as a source", () => {
  assert.equal(convertCountRequest(bodies.anthropic, { from: "anthropic", to: "openai" }), undefined);
  assert.equal(convertCountRequest(bodies.anthropic, { from: "anthropic", to: "ollama" }), undefined);
  const chat = { model: "m", messages: [{ role: "user", content: "Hi" }], max_completion_tokens: 5, temperature: 1 };
  const sent = convertCountRequest(chat, { from: "openai", to: "anthropic", model: "claude-opus-5" });
  assert.deepEqual(sent, { model: "claude-opus-5", messages: [{ role: "user", content: "Hi" }] });
});

test("responses", () => {
  const counts = {
    anthropic: { input_tokens: 7 },
    "openai-responses": { object: "response.input_tokens", input_tokens: 7 },
    gemini: { totalTokens: 7 },
    vertexai: { totalTokens: 7 },
    canonical: { input: 7 },
  };
  for (const [from, body] of Object.entries(counts)) {
    for (const [to, expected] of Object.entries(counts)) {
      assert.deepEqual(convertCountResponse(body, { from, to }), expected);
      assert.equal(convertCountResponse(JSON.stringify(body), { from, to }), JSON.stringify(expected));
    }
  }
  const convert = (body, from) => () => convertCountResponse(body, { from, to: "anthropic" });
  assert.throws(convert({ error: {} }, "gemini"), { code: "missing_field", path: "/totalTokens" });
  assert.throws(convert("<html>", "gemini"), { code: "invalid_json" });
  assert.throws(convert({}, "ollama"), { code: "unsupported" });
});

let provider;
before(async () => {
  provider = await startUpstream();
});
after(() => {
  provider.close();
  return stopGateways();
});

test("a gateway asks the upstream, and estimates if that fails", async () => {
  const asked = [];
  let works = true;
  const hooks = {
    async fetch(request) {
      asked.push([request.url, await request.json()]);
      return works ? Response.json({ totalTokens: 42 }) : Response.json({}, { status: 404 });
    },
  };
  const upstream = { dialect: "gemini", baseUrl: "https://g.example", key: "the-key-123", models: "gemini-3-pro" };
  const url = await gatewayTo(upstream, { hooks });
  const count = async () => post(`${url}/v1/messages/count_tokens`, bodies.anthropic);
  const counted = await count();
  assert.equal(counted.headers.get("x-toolwire-estimate"), null);
  assert.deepEqual(await counted.json(), { input_tokens: 42 });
  const [[address, sent]] = asked;
  assert.equal(address, "https://g.example/v1beta/models/gemini-3-pro:countTokens");
  assert.equal(sent.generateContentRequest.model, "models/gemini-3-pro");
  works = false;
  const estimated = await count();
  assert.equal(estimated.headers.get("x-toolwire-estimate"), "bytes/4");
  assert.ok((await estimated.json()).input_tokens > 20);
});
