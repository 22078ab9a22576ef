// What a gateway serves beside conversations: lists of models, counts, stored responses, other forms of streams, metrics.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Mistral } from "@mistralai/mistralai";
import Ajv from "ajv/dist/2020.js";
import OpenAI from "openai";
import schema from "../../pkg/dist/gateway/schema.json" with { type: "json" };
import { spoken } from "./support/gateway-clients.mjs";
import { createGateway, gatewayTo, post, serveGateway, stopGateways } from "./support/gateway-server.mjs";
import { startUpstream, streamOf, texts } from "./support/gateway-upstream.mjs";

let provider;
before(async () => {
  provider = await startUpstream();
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.instead = undefined;
});
after(() => {
  provider.close();
  return stopGateways();
});

const upstream = (dialect, more) => ({ dialect, baseUrl: `${provider.url}/${dialect}`, key: "the-key-123", ...more });
const user = (content) => ({ role: "user", content });
const get = async (url, headers) => (await fetch(url, { headers })).json();

test("models: those of the configuration and of the upstream, in the client's form", async () => {
  const fetched = [];
  const hooks = {
    async fetch(request) {
      fetched.push([request.url.replace(provider.url, ""), request.headers.get("x-api-key")]);
      return Response.json({ data: [{ id: "claude-opus-5" }, { id: "claude-haiku-5" }] });
    },
  };
  const url = await gatewayTo(upstream("anthropic", { models: { "gpt-5": "claude-opus-5", "gpt-*": "x" } }), { hooks });
  const names = ["gpt-5", "claude-opus-5", "claude-haiku-5"];
  const openai = await get(`${url}/v1/models`);
  assert.deepEqual([openai.object, openai.data.map(({ id }) => id)], ["list", names]);
  const anthropic = await get(`${url}/v1/models`, { "anthropic-version": "2023-06-01" });
  assert.deepEqual(
    [anthropic.has_more, anthropic.data.map(({ type, id }) => [type, id])],
    [false, names.map((id) => ["model", id])],
  );
  const gemini = await get(`${url}/v1beta/models`);
  assert.deepEqual(
    gemini.models.map(({ name }) => name),
    names.map((name) => `models/${name}`),
  );
  const ollama = await get(`${url}/api/tags`);
  assert.deepEqual(
    ollama.models.map(({ model }) => model),
    names,
  );
  // the list is kept for a while
  assert.deepEqual(fetched, [["/anthropic/v1/models?limit=1000", "the-key-123"]]);
  assert.equal((await get(`${url}/v1/models/gpt-5`)).id, "gpt-5");
  assert.equal((await get(`${url}/v1/models/a%2Fb`, { "anthropic-version": "1" })).type, "model");
  const client = new OpenAI({ apiKey: "k", baseURL: `${url}/v1` });
  assert.deepEqual(
    (await client.models.list()).data.map(({ id }) => id),
    names,
  );
});

test("an upstream that lists no models, and one model for all names", async () => {
  provider.instead = (_, response) => response.writeHead(500).end("no");
  const failing = await gatewayTo(upstream("openai", { models: { a: "b" } }));
  assert.deepEqual(
    (await get(`${failing}/v1/models`)).data.map(({ id }) => id),
    ["a"],
  );
  const one = await gatewayTo(upstream("openai", { models: "gpt-5" }));
  assert.deepEqual(
    (await get(`${one}/v1/models`)).data.map(({ id }) => id),
    ["gpt-5"],
  );
});

test("what Ollama's clients ask for", async () => {
  const url = await gatewayTo(upstream("openai"));
  assert.match((await get(`${url}/api/version`)).version, /^\d+\.\d+\.\d+$/);
  const shown = await (await post(`${url}/api/show`, { model: "m" })).json();
  assert.ok(shown.capabilities.includes("tools"));
});

test("Mistral's client, at the paths of OpenAI's, is known by its user-agent", async () => {
  const url = await gatewayTo(upstream("openai"));
  const client = new Mistral({ apiKey: "k", serverURL: url, retryConfig: { strategy: "none" } });
  const { choices } = await client.chat.complete({ model: "m", messages: [user("Hi")], randomSeed: 7 });
  assert.equal(typeof choices[0].message.content, "string");
  const { seed, random_seed } = provider.requests.at(-1).body;
  assert.deepEqual({ seed, random_seed }, { seed: 7, random_seed: undefined });
  // a path of its own is for those that do not name themselves, such as the AI SDK with `generateText`
  const body = { model: "m", messages: [user("Hi")], random_seed: 7 };
  await post(`${url}/mistral/v1/chat/completions`, body);
  assert.equal(provider.requests.at(-1).body.seed, 7);
  assert.deepEqual((await (await fetch(`${url}/mistral/v1/models/some%2Fmodel`)).json()).id, "some/model");
  const refused = await post(`${url}/mistral/v1/embeddings`, body);
  assert.deepEqual([refused.status, (await refused.json()).object], [404, "error"]);
  // another client has the format of its path
  await post(`${url}/v1/chat/completions`, { model: "m", messages: [user("Hi")], random_seed: 7 });
  assert.equal(provider.requests.at(-1).body.seed, undefined);
});

test("the root and the health, also with keys", async () => {
  const url = await gatewayTo(upstream("openai"), { open: undefined, clients: [{ name: "a", key: "key-of-a" }] });
  assert.equal((await fetch(url, { method: "HEAD" })).status, 200);
  assert.equal((await fetch(url)).status, 200);
  assert.deepEqual(await get(`${url}/health`), { status: "ok" });
});

test("other paths: 404 in the client's format, with what is served", async () => {
  const url = await gatewayTo(upstream("openai"));
  const shapes = [
    ["/v1/embeddings", {}, (body) => body.error.message],
    ["/v1/messages/batches", {}, (body) => body.type === "error" && body.error.message],
    ["/v1/complete", { "anthropic-version": "2023-06-01" }, (body) => body.type === "error" && body.error.message],
    ["/v1beta/models/m:embedContent", {}, (body) => body.error.status === "NOT_FOUND" && body.error.message],
    ["/api/generate", {}, (body) => body.error],
  ];
  for (const [path, headers, messageIn] of shapes) {
    const response = await post(url + path, {}, { headers });
    assert.equal(response.status, 404, path);
    assert.match(String(messageIn(await response.json())), /is not served.*\/v1\/chat\/completions/, path);
  }
});

test("a base path", async () => {
  const url = await gatewayTo(upstream("openai"), { basePath: "/llm/" });
  const body = { model: "m", messages: [user("Hi")] };
  assert.equal((await post(`${url}/llm/v1/chat/completions`, body)).status, 200);
  assert.equal((await post(`${url}/v1/chat/completions`, body)).status, 404);
  assert.equal((await post(`${url}/llmx/v1/chat/completions`, body)).status, 404);
});

test("streams of Gemini without alt=sse are a JSON array, as they arrive", async () => {
  const url = await gatewayTo(upstream("anthropic"));
  const body = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
  const path = `${url}/v1beta/models/m:streamGenerateContent`;
  const response = await post(path, body);
  assert.equal(response.headers.get("content-type"), "application/json");
  const items = await response.json();
  const parts = items.flatMap(({ candidates }) => candidates[0].content?.parts ?? []);
  assert.equal(parts.map(({ text = "" }) => text).join(""), texts[0]);
  assert.equal(parts.at(-1).functionCall?.name ?? parts.at(-2).functionCall.name, spoken.name);
  const events = await (await post(`${path}?alt=sse`, body)).text();
  const data = [...events.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));
  assert.equal(data.length, items.length);
  // an upstream that breaks off: the array ends with an error
  provider.instead = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(Buffer.concat(streamOf("anthropic", true).slice(0, 3)));
    setTimeout(() => response.destroy(), 20);
  };
  const cut = await (await post(path, body)).json();
  assert.ok(cut.at(-1).error, JSON.stringify(cut));
});

test("counts of tokens: an estimate is marked as one", async () => {
  const url = await gatewayTo(upstream("openai"));
  const long = user("x".repeat(4000));
  const anthropic = await post(`${url}/v1/messages/count_tokens`, { model: "m", messages: [long] });
  assert.equal(anthropic.headers.get("x-toolwire-estimate"), "bytes/4");
  const { input_tokens } = await anthropic.json();
  assert.ok(input_tokens > 1000 && input_tokens < 1050);
  const contents = [{ role: "user", parts: [{ text: "x".repeat(4000) }] }];
  const gemini = await post(`${url}/v1beta/models/m:countTokens`, { contents });
  assert.ok((await gemini.json()).totalTokens > 1000);
  const responses = await post(`${url}/v1/responses/input_tokens`, { model: "m", input: "Hi" });
  assert.equal((await responses.json()).object, "response.input_tokens");
});

test("warnings in a header", async () => {
  const url = await gatewayTo(upstream("anthropic"), { warnings: "header" });
  const body = { model: "m", messages: [user("Hi")], seed: 5, logit_bias: { 1: 2 } };
  const response = await post(`${url}/v1/chat/completions`, body);
  assert.match(response.headers.get("x-toolwire-warnings"), /setting_dropped \/seed/);
});

test("stored responses: previous_response_id and item_reference, whole and streamed", async () => {
  const kept = new Map();
  const responses = { get: async (id) => kept.get(id), put: async (id, value) => void kept.set(id, value) };
  // the scripted provider gives all responses one id
  let count = 0;
  const withIds = async (request) => {
    const response = await fetch(request);
    const text = (await response.text()).replaceAll('"id":"a"', `"id":"msg_${count++}"`);
    return new Response(text, response);
  };
  const url = await gatewayTo(upstream("anthropic"), { hooks: { responses, fetch: withIds } });
  const client = new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 });
  const tools = [{ type: "function", name: spoken.name, parameters: { type: "object" }, strict: false }];
  for (const stream of [false, true]) {
    const ask = async (body) => {
      if (!stream) return client.responses.create(body);
      return client.responses.stream(body).finalResponse();
    };
    const first = await ask({ model: "m", input: "The weather?", tools });
    const call = first.output.find(({ type }) => type === "function_call");
    const output = [{ type: "function_call_output", call_id: call.call_id, output: "sunny" }];
    const second = await ask({ model: "m", input: output, previous_response_id: first.id, tools });
    assert.equal(second.output_text, texts[1]);
    await ask({ model: "m", input: "Thanks", previous_response_id: second.id, tools });
    const { messages } = provider.requests.at(-1).canonical;
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "tool", "assistant", "user"],
    );
    const referring = [user("The weather?"), { type: "item_reference", id: call.id }, ...output];
    assert.equal((await ask({ model: "m", input: referring, tools })).output_text, texts[1]);
  }
  const unknown = await post(`${url}/v1/responses`, { model: "m", input: "Hi", previous_response_id: "resp_none" });
  assert.equal(unknown.status, 404);
  kept.clear();
  await post(`${url}/v1/responses`, { model: "m", input: "Hi", store: false });
  assert.equal(kept.size, 0);
});

test("metrics, as Prometheus text", async () => {
  const url = await gatewayTo(upstream("anthropic"), { metrics: true });
  await post(`${url}/v1/chat/completions`, { model: "m", messages: [user("Hi")], seed: 5 });
  await (await post(`${url}/v1/chat/completions`, { model: "m", messages: [user("Hi")], stream: true })).text();
  provider.instead = (_, response) => response.writeHead(500).end();
  await post(`${url}/v1/chat/completions`, { model: "m", messages: [user("Hi")] });
  const text = await (await fetch(`${url}/metrics`)).text();
  for (const line of [
    'toolwire_requests_total{dialect="openai",upstream="main",status="200"} 2',
    'toolwire_requests_total{dialect="openai",upstream="main",status="500"} 1',
    'toolwire_failures_total{dialect="openai",upstream="main",status="500"} 1',
    'toolwire_tokens_total{dialect="openai",upstream="main",direction="input"} 6',
    'toolwire_losses_total{code="setting_dropped"} 1',
    'toolwire_request_duration_seconds_count{dialect="openai",upstream="main"} 3',
  ])
    assert.ok(text.includes(`${line}\n`), line);
  assert.equal((await fetch(`${await gatewayTo(upstream("anthropic"))}/metrics`)).status, 404);
});

test("the base URL of a server of the table, with and without a version", async () => {
  const urls = [];
  const hooks = {
    async fetch(request) {
      urls.push(request.url);
      return Response.json({ choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] });
    },
  };
  const rows = [
    [{ server: "groq" }, "https://api.groq.com/openai/v1/chat/completions"],
    [{ server: "zai" }, "https://api.z.ai/api/paas/v4/chat/completions"],
    [{ server: "github-copilot" }, "https://api.githubcopilot.com/chat/completions"],
    [{}, "https://api.openai.com/v1/chat/completions"],
    [{ baseUrl: "http://localhost:8000" }, "http://localhost:8000/v1/chat/completions"],
    [{ baseUrl: "http://localhost:8000/v1/" }, "http://localhost:8000/v1/chat/completions"],
    [
      { baseUrl: "https://r.openai.azure.com/openai/v1?api-version=preview" },
      "https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview",
    ],
  ];
  for (const [more, expected] of rows) {
    const main = { dialect: "openai", key: "k-123456", ...more };
    const gateway = createGateway({ upstreams: { main }, open: true }, hooks);
    const url = await serveGateway(gateway);
    assert.equal((await post(`${url}/v1/chat/completions`, { model: "m", messages: [user("Hi")] })).status, 200);
    assert.equal(urls.at(-1), expected);
  }
});

test("the JSON Schema accepts what createGateway accepts", () => {
  const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
  const config = {
    upstreams: { main: { dialect: "gemini", keyEnv: "GEMINI_API_KEY", models: { "*": "gemini-3-pro" }, retries: 1 } },
    routes: [{ upstream: "main", when: { model: "x-*", tools: true } }],
    open: "loopback",
  };
  assert.equal(accepts(config), true, JSON.stringify(accepts.errors));
  assert.equal(accepts({ ...config, open: "yes" }), false);
  assert.equal(accepts({ upstreams: { main: { dialect: "gemini", modles: 1 } } }), false);
});
