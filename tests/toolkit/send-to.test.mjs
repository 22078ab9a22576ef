// `sendTo`: every scenario with every dialect, whole and streamed, gives the same outcome. The table is printed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isComplete, resultsIn, user } from "./support/model.mjs";
import { startProvider, upstreams } from "./support/provider.mjs";
import { runAgent, sendTo, Toolkit } from "./support/toolkit.mjs";

const text = (...pieces) => ({ type: "text", pieces });
const call = (id, name, args) => ({
  type: "call",
  id,
  name,
  pieces: [typeof args === "string" ? args : JSON.stringify(args)],
});
const says = (...pieces) => ({ blocks: [text(...pieces)], finish: "stop" });
const calls = (...blocks) => ({ blocks, finish: "tool_calls" });

const all = Object.keys(upstreams);
const withTextArguments = ["openai", "openai-responses"];
const withErrorsInStreams = all;

/** `expected` is compared with what `summary` makes of the outcome. */
const scenarios = {
  "text only": { script: [says("Hel", "lo.")], expected: "answer: Hello." },
  "one call": {
    script: [calls(call("c1", "double", { n: 4 })), says("8")],
    expected: "answer: 8; 8",
  },
  "parallel calls": {
    script: [calls(call("c1", "double", { n: 1 }), call("c2", "double", { n: 2 })), says("ok")],
    expected: "answer: ok; 2, 4",
  },
  "several turns": {
    script: [calls(call("c1", "double", { n: 1 })), calls(call("c2", "double", { n: 2 })), says("ok")],
    expected: "answer: ok; 2, 4",
  },
  "broken JSON": {
    script: [calls(call("c1", "double", "[object Object]")), says("ok")],
    expected: "answer: ok; invalid_arguments",
    dialects: withTextArguments,
  },
  "truncated JSON": {
    script: [calls(call("c1", "double", '{"n": 1, "m')), says("ok")],
    expected: "answer: ok; truncated",
    dialects: withTextArguments,
  },
  "repaired JSON": {
    script: [calls(call("c1", "double", "{'n': 4,}")), says("ok")],
    expected: "answer: ok; 8",
    dialects: withTextArguments,
  },
  "unknown tool": { script: [calls(call("c1", "triple", { n: 1 })), says("ok")], expected: "answer: ok; unknown_tool" },
  "wrong types": {
    script: [calls(call("c1", "double", { n: "x" })), says("ok")],
    expected: "answer: ok; invalid_arguments",
  },
  "coerced types": { script: [calls(call("c1", "double", { n: "21" })), says("ok")], expected: "answer: ok; 42" },
  "repeated ids": {
    script: [calls(call("c1", "double", { n: 1 }), call("c1", "double", { n: 5 })), says("ok")],
    expected: "answer: ok; 2, 10",
  },
  length: { script: [{ blocks: [text("Half")], finish: "length" }], expected: "length: Half" },
  "a refusal in words": {
    script: [{ blocks: [{ type: "refusal", pieces: ["I ", "won't."] }], finish: "refusal" }],
    expected: "refusal: I won't.",
    dialects: ["openai", "openai-responses"],
  },
  "a refusal by its finish reason": {
    script: [{ blocks: [text("I ", "won't.")], finish: "refusal" }],
    expected: "refusal: I won't.",
    dialects: ["anthropic"],
  },
  "a refusal with a call": {
    script: [{ blocks: [call("c1", "double", { n: 1 })], finish: "refusal" }, says("ok")],
    expected: "answer: ok; truncated",
    dialects: ["anthropic"],
  },
  "a content filter": {
    script: [{ blocks: [text("Half")], finish: "content_filter" }],
    expected: "content_filter: Half",
    dialects: ["openai", "gemini", "vertexai"],
  },
  pause: {
    script: [{ blocks: [text("Searching.")], finish: "pause" }, says("ok")],
    expected: "answer: ok",
    requests: 2,
    dialects: ["anthropic"],
  },
  "429 with retry-after": {
    script: [{ status: 429, headers: { "retry-after-ms": "20" } }, says("ok")],
    expected: "answer: ok",
    requests: 2,
  },
  "429 without quota": {
    script: [{ status: 429, message: "You exceeded your current quota, insufficient_quota." }],
    expected: "error: 429",
  },
  400: { script: [{ status: 400, message: "Bad request." }], expected: "error: 400" },
  "an error in the middle of a stream": {
    script: [{ blocks: [text("Hel", "lo")], error: { code: "overloaded", status: 529, message: "Overloaded." } }],
    expected: "error",
    dialects: withErrorsInStreams,
    only: "streamed",
  },
  "a connection that breaks": { script: [{ ...says("Hel", "lo, ", "world."), breaks: true }], expected: "error" },
  "a server that hangs": { script: [{ hangs: true }], expected: "timeout", timeoutMs: 120 },
};

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const number = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const toolkit = new Toolkit([
  { name: "double", description: "Doubles n.", parameters: number, execute: ({ n }) => n * 2 },
]);

function summary({ reason, text, error, messages }) {
  if (reason === "error") return error.status && error.status < 500 ? `error: ${error.status}` : "error";
  if (reason === "timeout") return "timeout";
  const results = Object.values(resultsIn(messages)).map((value) => value?.error_type ?? value);
  const refusals = messages.at(-1).content?.filter?.(({ type }) => type === "refusal") ?? [];
  return [`${reason}: ${text || refusals.map(({ text }) => text).join("")}`, results.join(", ")]
    .filter(Boolean)
    .join("; ");
}

async function outcomeOf(dialect, { script, timeoutMs }, stream) {
  provider.play(...script);
  const send = sendTo({ to: dialect, baseUrl: `${provider.url}/${dialect}`, apiKey: "secret", stream });
  const request = { model: upstreams[dialect].model, maxTokens: 100, ...user("x") };
  return runAgent({ request, toolkit, send, timeoutMs: timeoutMs ?? 10_000 });
}

const rows = {};
for (const [name, scenario] of Object.entries(scenarios)) {
  test(name, async () => {
    rows[name] = {};
    for (const dialect of scenario.dialects ?? all) {
      const cells = [];
      for (const mode of ["whole", "streamed"]) {
        if ((scenario.only ?? mode) !== mode) continue;
        const outcome = await outcomeOf(dialect, scenario, mode === "streamed");
        assert.equal(summary(outcome), scenario.expected, `${dialect}, ${mode}: ${JSON.stringify(outcome.error)}`);
        assert.ok(isComplete(outcome.messages), `${dialect}, ${mode}: every call has a result`);
        if (scenario.requests) assert.equal(provider.received.length, scenario.requests, `${dialect}, ${mode}`);
        cells.push(mode);
      }
      rows[name][dialect] = cells.join(" = ");
    }
  });
}

test("the table of scenarios", () => {
  console.table(rows);
  assert.equal(Object.keys(rows).length, Object.keys(scenarios).length);
});

test("a paused response is sent back as it is, without a message of the user", async () => {
  const sent = [];
  const answer = (content, stop_reason) =>
    Response.json({
      ...{ id: "m", type: "message", role: "assistant", model: "c", content, stop_reason, stop_sequence: null },
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } };
  const fetch = async (_url, { body }) => {
    sent.push(JSON.parse(body));
    return sent.length === 1 ? answer([search], "pause_turn") : answer([{ type: "text", text: "ok" }], "end_turn");
  };
  const send = sendTo({ to: "anthropic", apiKey: "key", stream: false, fetch });
  const { text } = await runAgent({ request: { model: upstreams.anthropic.model, ...user("x") }, toolkit, send });
  assert.equal(text, "ok");
  assert.deepEqual(sent[1].messages.at(-1), { role: "assistant", content: [search] });
});

test("the model sees its own broken arguments", async () => {
  for (const dialect of withTextArguments) {
    await outcomeOf(dialect, scenarios["broken JSON"], true);
    const { messages, input } = provider.received[1].body;
    const made = messages ? messages[1].tool_calls[0].function : input.find(({ type }) => type === "function_call");
    assert.equal(made.arguments, "[object Object]", dialect);
  }
});

test("each provider has a URL of its own, so a provider, a key and a model are enough", async () => {
  const urls = {
    openai: "https://api.openai.com/v1/chat/completions",
    "openai-responses": "https://api.openai.com/v1/responses",
    anthropic: "https://api.anthropic.com/v1/messages",
    gemini: "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
    ollama: "http://localhost:11434/api/chat",
  };
  for (const [to, url] of Object.entries(urls)) {
    const sent = [];
    const refuse = async (...request) => sent.push(request) && new Response("{}", { status: 400 });
    const send = sendTo({ to, apiKey: "key", stream: false, fetch: refuse });
    await runAgent({ request: { model: "m", ...user("x") }, toolkit, send });
    assert.equal(sent[0][0], url);
    assert.match(JSON.stringify(sent[0][1].headers), /"(Bearer )?key"/, to);
  }
});

test("keys are sent in the header of the provider, and never reported", async () => {
  const google = "x-goog-api-key";
  const headers = { anthropic: "x-api-key", gemini: google, "gemini-interactions": google };
  for (const dialect of all) {
    provider.play(says("ok"));
    const seen = [];
    const send = sendTo({
      to: dialect,
      baseUrl: `${provider.url}/${dialect}`,
      apiKey: async () => "secret",
      headers: { "x-app": "test" },
      onRequest: (sent) => seen.push(sent),
      onResponse: (received) => seen.push(received),
    });
    await runAgent({ request: { model: upstreams[dialect].model, ...user("x") }, toolkit, send });
    const [{ headers: sent }] = provider.received;
    assert.equal(sent[headers[dialect] ?? "authorization"], headers[dialect] ? "secret" : "Bearer secret", dialect);
    assert.equal(sent["x-app"], "test");
    assert.ok(seen.length > 1, dialect);
    assert.ok(!JSON.stringify(seen).includes("secret"), dialect);
  }
});

test("keys in headers of the caller's own are sent, but not reported", async () => {
  provider.play(says("ok"));
  const secrets = { authorization: "Bearer secret", "api-key": "secret", "x-goog-api-key": "secret", cookie: "secret" };
  const seen = [];
  const send = sendTo({
    to: "openai",
    baseUrl: `${provider.url}/openai`,
    headers: { ...secrets, "x-app": "test", "x-ratelimit-remaining-tokens": "7" },
    onRequest: ({ headers }) => seen.push(headers),
  });
  await runAgent({ request: { model: "gpt-5", ...user("x") }, toolkit, send });
  for (const [name, value] of Object.entries(secrets)) assert.equal(provider.received[0].headers[name], value);
  // only headers that are known to be harmless are reported
  assert.equal(provider.received[0].headers["x-app"], "test");
  assert.deepEqual(seen, [{ "content-type": "application/json", "x-ratelimit-remaining-tokens": "7" }]);
});

/** A server that refuses once: whether the request is repeated, and after how long. */
const refusals = {
  "a second": { status: 429, headers: { "retry-after": "1" }, wait: 1000 },
  "milliseconds before seconds": { status: 503, headers: { "retry-after-ms": "30", "retry-after": "20" }, wait: 30 },
  "a date": { status: 429, headers: () => ({ "retry-after": new Date(Date.now() + 2000).toUTCString() }), wait: 900 },
  "a date in the past": { status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, wait: 0 },
  "no time": { status: 500, headers: {}, wait: 375 },
  "that it should not be asked again": { status: 503, headers: { "x-should-retry": "false" } },
  "that it should be asked again": { status: 400, headers: { "x-should-retry": "true", "retry-after": "0" }, wait: 0 },
  "that the quota is exhausted": { status: 429, message: "Quota exceeded.", headers: { "retry-after": "0" } },
  "more than a minute": { status: 429, headers: { "retry-after": "61" } },
};
for (const [name, { headers, wait, ...refusal }] of Object.entries(refusals)) {
  test(`a server states ${name}`, async () => {
    const given = typeof headers === "function" ? headers() : headers;
    const outcome = await outcomeOf("openai", { script: [{ ...refusal, headers: given }, says("ok")] }, false);
    const [first, second] = provider.received;
    assert.equal(outcome.reason, wait === undefined ? "error" : "answer");
    assert.equal(second !== undefined, wait !== undefined);
    if (second) assert.ok(second.time - first.time >= wait - 5, `${second.time - first.time} ms`);
    if (second && wait < 100) assert.ok(second.time - first.time < 375, `${second.time - first.time} ms`);
  });
}

test("a base URL may end with the version", async () => {
  provider.play(says("ok"));
  const send = sendTo({ to: "openai", baseUrl: `${provider.url}/openai/v1/` });
  await runAgent({ request: { model: "gpt-5", ...user("x") }, toolkit, send });
  assert.equal(provider.received[0].url, "/openai/v1/chat/completions");
});

test("a provider without a URL of its own, or without requests, is an error of the caller", () => {
  assert.throws(() => sendTo({ to: "vertexai" }), { code: "invalid_options", path: "/baseUrl" });
  assert.throws(() => sendTo({ to: "canonical" }), { code: "invalid_options", path: "/to" });
});

test("a server that does not stream is read whole", async () => {
  const fetchWhole = async (url, init) => {
    const { stream, ...body } = JSON.parse(init.body);
    return fetch(url, { ...init, body: JSON.stringify(body) });
  };
  provider.play(says("whole"));
  const send = sendTo({ to: "openai", baseUrl: `${provider.url}/openai`, fetch: fetchWhole });
  const outcome = await runAgent({ request: { model: "gpt-5", ...user("x") }, toolkit, send });
  assert.equal(outcome.text, "whole");
});
