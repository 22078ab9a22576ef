// The README's driver and the recipes that talk to a provider, run unchanged with the real libraries against a scripted server on loopback.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { root } from "../../scripts/lib/run.mjs";
import { startProvider } from "../toolkit/support/provider.mjs";
import { markdownBlocks } from "./support/snippets/blocks.mjs";
import { makeProject } from "./support/snippets/programs.mjs";

/** The hosts that the recipes name, and the path of the scripted server that responds instead of each. */
const hosts = {
  "https://api.openai.com/v1/responses": "openai-responses/v1/responses",
  "https://api.openai.com": "openai",
  "https://api.anthropic.com": "anthropic",
  "https://generativelanguage.googleapis.com": "gemini",
  "http://localhost:11434": "ollama",
};

const firstOf = (name) => markdownBlocks(`docs/recipes/${name}.md`).find(({ language }) => language === "ts");
const names = [
  ...["sdk-exceptions", "local-models", "approval-over-http", "hono", "express", "nextjs", "use-chat"],
  ...["opentelemetry", "from-litellm", "from-ai-sdk"],
];
const driver = markdownBlocks("README.md").find(({ code }) => code.includes("new OpenAI()"));
const blocks = new Map([["README", driver], ...names.map((name) => [name, firstOf(name)])]);
const project = makeProject("recipes", [...blocks.values()]);

const exporter = new InMemorySpanExporter();
const keys = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key", GEMINI_API_KEY: "key", APP_KEY: "secret" };
const { fetch } = globalThis;
let provider;

before(async () => {
  project.compile("typescript");
  provider = await startProvider();
  Object.assign(process.env, keys);
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const host = Object.keys(hosts).find((start) => request.url.startsWith(start));
    if (!host) return fetch(request);
    return fetch(new Request(request.url.replace(host, `${provider.url}/${hosts[host]}`), request));
  };
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
});
after(() => {
  globalThis.fetch = fetch;
  provider.close();
});

const text = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });
const call = (name, args) => ({
  blocks: [{ type: "call", id: "call_1", name, pieces: [JSON.stringify(args)] }],
  finish: "tool_calls",
});
const weather = [call("get_weather", { city: "Paris" }), text("It is ", "22 °C.")];
const load = (name) => import(project.fileOf(blocks.get(name)));

/** A request with JSON, as a browser sends it. */
const post = (url, body, headers) =>
  new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Serves an Express application on loopback while `body` runs. */
async function served(app, body) {
  const server = await new Promise((ready) => {
    const started = app.listen(0, "127.0.0.1", () => ready(started));
  });
  try {
    return await body(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
  }
}

test("the README's driver runs a tool", async () => {
  provider.play(...weather);
  assert.equal(await project.run(driver), "It is 22 °C.\n");
  const [{ url }, { body }] = provider.received;
  assert.equal(url, "/openai-responses/v1/responses");
  assert.equal(body.input.at(-1).output, '{"city":"Paris","celsius":22}');
});

test("the README has at most 150 lines", () => {
  const lines = readFileSync(`${root}/README.md`, "utf8").split("\n");
  assert.ok(lines.length <= 151, `${lines.length} lines`);
});

test("SDK exceptions: the three SDKs", async () => {
  const overloaded = { status: 429, message: "Slow down.", code: "rate_limit" };
  provider.play(overloaded, overloaded, overloaded);
  assert.equal(await project.run(blocks.get("sdk-exceptions")), "rate_limit, retry: true: Slow down.\n".repeat(3));
  assert.equal(provider.received.length, 3);
});

test("local models: num_ctx is sent", async () => {
  provider.play(...weather);
  assert.equal(await project.run(blocks.get("local-models")), "answer It is 22 °C.\n");
  const [{ url, body }] = provider.received;
  assert.equal(url, "/ollama/api/chat");
  assert.deepEqual([body.options.num_ctx, body.keep_alive], [32768, "30m"]);
});

test("approval over HTTP: a call waits for a decision, which is used once", async () => {
  const { app } = await load("approval-over-http");
  await served(app, async (url) => {
    provider.play(call("delete_note", { title: "taxes" }), text("Done."));
    const first = await (await fetch(post(`${url}/runs`, { text: "Delete my note about taxes." }))).json();
    assert.deepEqual(first.pending, [{ id: "call_1", name: "delete_note", arguments: { title: "taxes" } }]);
    assert.equal(provider.received.length, 1);
    const decide = () => fetch(post(`${url}/runs/${first.run}/decisions`, { call_1: true }));
    assert.deepEqual(await (await decide()).json(), { reason: "answer", text: "Done." });
    assert.equal(provider.received[1].body.input.at(-1).output, "Deleted taxes.");
    assert.equal((await decide()).status, 404);
  });
});

test("Hono: an agent as events, and a gateway for clients with a key", async () => {
  const { default: app } = await load("hono");
  provider.play(...weather);
  const events = await (await app.request(post("http://localhost/ask", { text: "Weather?" }))).text();
  const [shown] = markdownBlocks("docs/recipes/hono.md").filter(({ language }) => language === "text");
  assert.equal(events.trim(), shown.code.trim());
  assert.equal(provider.received.length, 2);

  provider.play(text("Hi."));
  const asked = { model: "any", messages: [{ role: "user", content: "Hi" }] };
  const ask = (headers) => app.request(post("http://localhost/v1/chat/completions", asked, headers));
  assert.equal((await ask({})).status, 401);
  const response = await (await ask({ authorization: "Bearer secret" })).json();
  assert.equal(response.choices[0].message.content, "Hi.");
  assert.equal(provider.received[0].body.model, "claude-sonnet-5-5");
});

test("Express: the text of an agent", async () => {
  const { app } = await load("express");
  await served(app, async (url) => {
    provider.play(...weather);
    assert.equal(await (await fetch(post(`${url}/ask`, { text: "Weather?" }))).text(), "It is 22 °C.");
  });
});

test("Next.js: the route handler", async () => {
  const { POST } = await load("nextjs");
  provider.play(...weather);
  const response = await POST(post("http://localhost/api/ask", { text: "Weather?" }));
  assert.equal(await response.text(), "It is 22 °C.");
});

test("useChat: what its transport reads", async () => {
  const { POST } = await load("use-chat");
  provider.play(...weather);
  const transport = new DefaultChatTransport({
    api: "http://localhost/api",
    fetch: (url, init) => POST(new Request(url, init)),
  });
  const user = { id: "1", role: "user", parts: [{ type: "text", text: "Weather?" }] };
  const stream = await transport.sendMessages({ trigger: "submit-message", chatId: "c", messages: [user] });
  let message;
  for await (const each of readUIMessageStream({ stream })) message = each;
  assert.equal(message.role, "assistant");
  assert.deepEqual(
    message.parts.map(({ type, state }) => [type, state]),
    [
      ["tool-get_weather", "output-available"],
      ["text", "done"],
    ],
  );
  assert.deepEqual(message.parts[0].output, { city: "Paris", celsius: 22 });
  assert.equal(message.parts[1].text, "It is 22 °C.");
});

test("OpenTelemetry: the spans", async () => {
  exporter.reset();
  provider.play(...weather);
  assert.equal(await project.run(blocks.get("opentelemetry")), "answer It is 22 °C.\n");
  const spans = exporter.getFinishedSpans();
  const root = spans.find(({ parentSpanContext }) => !parentSpanContext);
  const children = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === root.spanContext().spanId);
  const [shown] = markdownBlocks("docs/recipes/opentelemetry.md").filter(({ language }) => language === "text");
  assert.deepEqual([root.name, ...children.map(({ name }) => `  ${name}`)].join("\n"), shown.code.trim());
  const chat = children.find(({ name }) => name.startsWith("chat"));
  assert.equal(chat.attributes["gen_ai.usage.input_tokens"], 10);
});

test("from LiteLLM: model names, routes and the fallback", async () => {
  provider.play(text("Hello from Claude."), text("Hello from Gemini."));
  assert.equal(await project.run(blocks.get("from-litellm")), "fast Hello from Claude.\nlong Hello from Gemini.\n");
  assert.deepEqual(
    provider.received.map(({ url }) => url.split("/")[1]),
    ["anthropic", "gemini"],
  );
});

test("from the AI SDK: its tools run unchanged", async () => {
  provider.play(...weather);
  assert.equal(await project.run(blocks.get("from-ai-sdk")), "answer It is 22 °C.\n");
  assert.equal(provider.received[1].body.input.at(-1).output, '{"city":"Paris","celsius":22}');
});
