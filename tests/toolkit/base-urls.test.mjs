// `sendTo`: the addresses that base URLs lead to, the server that they identify, and the API of a model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sendTo } from "./support/toolkit.mjs";

const chat = { choices: [{ message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] };
const responses = {
  id: "r",
  status: "completed",
  output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "ok" }] }],
};
const messages = {
  type: "message",
  role: "assistant",
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
};

/** What a request is sent as. */
async function sent(target, request = {}) {
  let found;
  const send = sendTo({
    to: "openai",
    apiKey: "secret-key",
    stream: false,
    ...target,
    fetch: async (url, init) => {
      found = { url, headers: init.headers, body: JSON.parse(init.body) };
      const answer = url.includes("/responses") ? responses : url.includes("/messages") ? messages : chat;
      return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
    },
  });
  const asked = { model: "m", messages: [{ role: "user", content: "x" }], maxTokens: 50, ...request };
  const { text } = await send(asked, { signal: new AbortController().signal });
  assert.equal(text, "ok");
  return found;
}

const CHAT = "/chat/completions";
/** Base URL → address, of Chat Completions. */
const OPENAI = [
  [undefined, `https://api.openai.com/v1${CHAT}`],
  ["https://api.openai.com", `https://api.openai.com/v1${CHAT}`],
  ["https://api.openai.com/v1/", `https://api.openai.com/v1${CHAT}`],
  [`https://api.openai.com/v1${CHAT}`, `https://api.openai.com/v1${CHAT}`],
  ["http://127.0.0.1:9", `http://127.0.0.1:9/v1${CHAT}`],
  ["http://127.0.0.1:9/proxy", `http://127.0.0.1:9/proxy/v1${CHAT}`],
  ["https://api.groq.com", `https://api.groq.com/openai/v1${CHAT}`],
  ["https://api.groq.com/openai", `https://api.groq.com/openai/v1${CHAT}`],
  ["https://api.groq.com/openai/v1", `https://api.groq.com/openai/v1${CHAT}`],
  ["https://openrouter.ai/api/v1", `https://openrouter.ai/api/v1${CHAT}`],
  ["https://openrouter.ai/api", `https://openrouter.ai/api/v1${CHAT}`],
  ["https://api.deepseek.com", `https://api.deepseek.com${CHAT}`],
  ["https://api.deepseek.com/v1", `https://api.deepseek.com/v1${CHAT}`],
  ["https://api.deepseek.com/beta", `https://api.deepseek.com/beta/v1${CHAT}`],
  ["https://api.z.ai/api/paas/v4", `https://api.z.ai/api/paas/v4${CHAT}`],
  ["https://api.z.ai", `https://api.z.ai/api/paas/v4${CHAT}`],
  ["https://open.bigmodel.cn/api/paas/v4/", `https://open.bigmodel.cn/api/paas/v4${CHAT}`],
  ["https://api.fireworks.ai/inference", `https://api.fireworks.ai/inference/v1${CHAT}`],
  ["https://api.fireworks.ai/inference/v1", `https://api.fireworks.ai/inference/v1${CHAT}`],
  ["https://models.github.ai/inference", `https://models.github.ai/inference${CHAT}`],
  ["https://dashscope.aliyuncs.com/compatible-mode/v1", `https://dashscope.aliyuncs.com/compatible-mode/v1${CHAT}`],
  ["https://api.githubcopilot.com", `https://api.githubcopilot.com${CHAT}`],
  [
    "https://generativelanguage.googleapis.com/v1beta/openai/",
    `https://generativelanguage.googleapis.com/v1beta/openai${CHAT}`,
  ],
  ["https://gateway.ai.cloudflare.com/v1/a/g/compat", `https://gateway.ai.cloudflare.com/v1/a/g/compat${CHAT}`],
  ["https://r.openai.azure.com", `https://r.openai.azure.com/openai/v1${CHAT}`],
  [
    "https://r.openai.azure.com/openai/v1?api-version=preview",
    `https://r.openai.azure.com/openai/v1${CHAT}?api-version=preview`,
  ],
  [
    "https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
    `https://r.openai.azure.com/openai/deployments/d${CHAT}?api-version=2024-10-21`,
  ],
];

for (const [baseUrl, url] of OPENAI) {
  test(`the base URL ${baseUrl}`, async () => assert.equal((await sent({ baseUrl })).url, url));
}

test("base URLs of Anthropic's format lack the version, as with its SDK", async () => {
  const of = async (baseUrl) => (await sent({ to: "anthropic", baseUrl })).url;
  assert.equal(await of(undefined), "https://api.anthropic.com/v1/messages");
  assert.equal(await of("https://openrouter.ai/api"), "https://openrouter.ai/api/v1/messages");
  assert.equal(await of("https://openrouter.ai/api/v1"), "https://openrouter.ai/api/v1/messages");
  assert.equal(await of("https://api.deepseek.com/anthropic"), "https://api.deepseek.com/anthropic/v1/messages");
  assert.equal(await of("https://api.deepseek.com"), "https://api.deepseek.com/anthropic/v1/messages");
  assert.equal(await of("https://r.services.ai.azure.com"), "https://r.services.ai.azure.com/anthropic/v1/messages");
});

test("the server is named, or found by the base URL", async () => {
  const named = await sent({ server: "deepseek" });
  assert.deepEqual([named.url, named.body.max_tokens], [`https://api.deepseek.com${CHAT}`, 50]);
  const found = await sent({ baseUrl: "https://api.deepseek.com/v1" });
  assert.equal(found.body.max_tokens, 50);
  const other = await sent({ baseUrl: "https://api.deepseek.com/v1", server: "openai" });
  assert.equal(other.body.max_completion_tokens, 50);
  const profile = await sent({
    baseUrl: "http://127.0.0.1:9",
    server: { base: "vllm", tokenLimit: "max_completion_tokens" },
  });
  assert.equal(profile.body.max_completion_tokens, 50);
  assert.throws(() => sendTo({ to: "openai-responses", server: "nvidia" }), {
    code: "invalid_options",
    path: "/server",
  });
  assert.equal(
    (await sent({ server: "azure", baseUrl: "https://r.openai.azure.com" })).headers["api-key"],
    "secret-key",
  );
});

test("models whose tools Chat Completions refuses are sent to Responses", async () => {
  const tools = [{ name: "f", parameters: { type: "object", properties: {} } }];
  const url = async (request, target = {}) => (await sent(target, request)).url;
  const RESPONSES = "https://api.openai.com/v1/responses";
  assert.equal(await url({ model: "gpt-6-astra", tools, reasoning: { effort: "high" } }), RESPONSES);
  assert.equal(await url({ model: "gpt-6-astra" }), `https://api.openai.com/v1${CHAT}`);
  assert.equal(await url({ model: "gpt-5", tools }), `https://api.openai.com/v1${CHAT}`);
  // other servers have the API that was asked for
  const there = await url({ model: "gpt-6-astra", tools }, { baseUrl: "http://127.0.0.1:9" });
  assert.equal(there, `http://127.0.0.1:9/v1${CHAT}`);
});

test("errors show the address and the code, without secrets", async () => {
  const target = { to: "openai", apiKey: "secret-key", stream: false, maxRetries: 0 };
  const asked = { model: "m", messages: [{ role: "user", content: "x" }] };
  const failure = (more) => {
    const send = sendTo({ ...target, ...more });
    return send(asked, { signal: new AbortController().signal }).then(assert.fail, ({ message }) => message);
  };
  const refused = await failure({ baseUrl: "http://127.0.0.1:6/x?key=hidden-value" });
  assert.match(
    refused,
    /^the request to http:\/\/127\.0\.0\.1:6\/x\/v1\/chat\/completions\S* failed: (?:ECONNREFUSED|bad port)/,
  );
  assert.ok(!refused.includes("hidden-value"));
  const missing = async () => new Response('{"error":{"message":"no such route"}}', { status: 404 });
  const unknown = await failure({ baseUrl: "https://example.test/a", fetch: missing });
  assert.equal(unknown, "no such route (POST https://example.test/a/v1/chat/completions)");
});
