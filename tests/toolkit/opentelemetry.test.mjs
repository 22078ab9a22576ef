// examples/opentelemetry: the spans of a run, as the in-memory exporter of the official SDK receives them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
// the copy that the example imports
import { agentTool, runAgent, sendTo, Toolkit } from "../../pkg/dist/toolkit/node.js";
import { installExample } from "./support/example.mjs";
import { response, scripted, user } from "./support/model.mjs";
import { startProvider } from "./support/provider.mjs";

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const known = new Set(Object.values(conventions).filter((value) => typeof value === "string"));
const number = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

async function start(t) {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");
  const folder = installExample(t, "opentelemetry", ["@opentelemetry"]);
  const { tracedAgent, tracedCalls } = await import(pathToFileURL(`${folder}/telemetry.js`).href);
  const spans = () => exporter.getFinishedSpans();
  return { tracer, tracedAgent, tracedCalls, spans };
}

/** Each span under its parent, in the order in which they started. */
function treeOf(spans, parent = undefined, depth = 0) {
  const below = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent);
  return below.flatMap((span) => [
    "  ".repeat(depth) + span.name,
    ...treeOf(spans, span.spanContext().spanId, depth + 1),
  ]);
}

test("the spans of a run", async (t) => {
  const { tracer, tracedAgent, tracedCalls, spans } = await start(t);
  const provider = await startProvider();
  t.after(() => provider.close());
  const calls = [
    { type: "call", id: "c1", name: "double", pieces: ['{"n":4}'] },
    { type: "call", id: "c2", name: "fail", pieces: ["{}"] },
    { type: "call", id: "c3", name: "double", pieces: ['{"n":"many"}'] },
  ];
  provider.play({ blocks: calls, finish: "tool_calls" }, { blocks: [{ type: "text", pieces: ["8"] }], finish: "stop" });
  const lookUp = () => tracer.startSpan("look up").end();
  const fail = () => {
    throw new RangeError("out of order");
  };
  const tools = [
    { name: "double", description: "Doubles n.", parameters: number, execute: ({ n }) => lookUp() ?? n * 2 },
    { name: "fail", execute: fail },
  ];
  const options = {
    request: { model: "claude-sonnet-4-5", maxTokens: 100, temperature: 0.5, ...user("double 4") },
    toolkit: new Toolkit(tools, { around: tracedCalls(tracer) }),
    send: sendTo({ to: "anthropic", baseUrl: `${provider.url}/anthropic`, apiKey: "key" }),
    sessionId: "session-1",
  };
  const seen = [];
  const traced = { tracer, name: "doubler", dialect: "anthropic", onEvent: ({ type }) => seen.push(type) };
  const outcome = await tracedAgent(options, traced);
  assert.deepEqual([outcome.reason, outcome.text, seen.at(-1)], ["answer", "8", "end"]);

  // the call with wrong arguments did not run
  assert.deepEqual(treeOf(spans()).toSorted(), [
    "    look up",
    "  chat claude-sonnet-4-5",
    "  chat claude-sonnet-4-5",
    "  execute_tool double",
    "  execute_tool fail",
    "invoke_agent doubler",
  ]);
  const about = { "gen_ai.provider.name": "anthropic", "gen_ai.conversation.id": "session-1" };
  const [agent] = spans().filter(({ name }) => name.startsWith("invoke_agent"));
  assert.deepEqual(agent.attributes, {
    ...about,
    "gen_ai.usage.input_tokens": 20,
    "gen_ai.usage.output_tokens": 10,
    "gen_ai.usage.cache_read.input_tokens": 0,
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "doubler",
    "gen_ai.request.model": "claude-sonnet-4-5",
  });
  const chats = spans().filter(({ name }) => name.startsWith("chat"));
  assert.deepEqual(chats[0].attributes, {
    ...about,
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "claude-sonnet-4-5",
    "gen_ai.request.max_tokens": 100,
    "gen_ai.request.temperature": 0.5,
    "gen_ai.response.id": "resp_1",
    "gen_ai.response.model": "claude-opus-5",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.usage.cache_read.input_tokens": 0,
  });
  const [double, failed] = ["double", "fail"].map((tool) =>
    spans().find(({ name }) => name === `execute_tool ${tool}`),
  );
  assert.deepEqual(double.attributes, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "double",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.description": "Doubles n.",
  });
  assert.deepEqual(failed.status, { code: SpanStatusCode.ERROR, message: "out of order" });
  assert.equal(failed.attributes["error.type"], "RangeError");
  assert.deepEqual(
    [agent, chats[0], double].map(({ kind }) => kind),
    [SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.INTERNAL],
  );
  const names = spans().flatMap(({ attributes }) => Object.keys(attributes));
  for (const name of names) assert.ok(known.has(name), `${name} is an attribute of the conventions`);
});

test("a request that fails, and a run that reaches a bound", async (t) => {
  const { tracer, tracedAgent, spans } = await start(t);
  const toolkit = new Toolkit([{ name: "double", parameters: number, execute: ({ n }) => n * 2 }]);
  const refuse = () => Promise.reject(Object.assign(new Error("no"), { code: "rate_limited", status: 429 }));
  const traced = { tracer, name: "a", dialect: "ollama" };
  await tracedAgent({ request: { model: "m", ...user("x") }, toolkit, send: refuse }, traced);
  const [chat, agent] = spans();
  assert.deepEqual(
    [chat.name, chat.attributes["error.type"], chat.attributes["http.response.status_code"]],
    ["chat m", "rate_limited", 429],
  );
  assert.deepEqual([agent.attributes["error.type"], agent.status.code], ["rate_limited", SpanStatusCode.ERROR]);
  assert.equal(agent.attributes["gen_ai.provider.name"], "ollama");

  const { send } = scripted(response("", [["a", "double", { n: 1 }]]));
  await tracedAgent({ request: user("x"), toolkit, send, maxIterations: 1 }, { ...traced, name: "b" });
  assert.equal(spans().find(({ name }) => name === "invoke_agent b").attributes["error.type"], "max_iterations");
});

test("the spans of a sub-agent are inside the call that runs it", async (t) => {
  const { tracer, tracedAgent, tracedCalls, spans } = await start(t);
  const around = tracedCalls(tracer);
  const toolkit = new Toolkit([{ name: "double", parameters: number, execute: ({ n }) => n * 2 }], { around });
  const inner = scripted(response("", [["x", "double", { n: 2 }]]), response("4"));
  const ask = agentTool({ name: "ask", agent: () => ({ request: user("2*2"), toolkit, send: inner.send }) });
  const { send } = scripted(response("", [["a", "ask"]]), response("4"));
  const options = { request: { model: "m", ...user("x") }, toolkit: new Toolkit([ask], { around }), send };
  await tracedAgent(options, { tracer, name: "outer", dialect: "openai" });
  const tree = treeOf(spans());
  assert.deepEqual(tree.slice(tree.indexOf("  execute_tool ask")), [
    "  execute_tool ask",
    "    execute_tool double",
    "  chat m",
  ]);
  assert.equal((await runAgent({ ...options, send: scripted(response("ok")).send })).text, "ok");
  assert.equal(trace.getActiveSpan(), undefined);
});
