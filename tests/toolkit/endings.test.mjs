// A run never rejects because of what a model or a tool does, and always ends, whatever the caller's functions do.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { convertRequest } from "../../pkg/dist/index.js";
import { simulateTools } from "../../pkg/dist/text/index.js";
import { isComplete, response, resultsIn, scripted, user } from "./support/model.mjs";
import { agentResponse, resumeAgent, runAgent, sendTo, streamAgent, ToolError, Toolkit } from "./support/toolkit.mjs";

const done = response("Done.");
const once = (name = "f", args = {}) => scripted(response("", [["c", name, args]]), done);
const deep = (depth) => {
  let value = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? { a: value } : [value];
  return value;
};
const forever = () => new Promise(() => {});
const runs = (tool, more = {}) =>
  runAgent({
    request: { model: "m", ...user("x") },
    toolkit: new Toolkit([{ name: "f", ...tool }]),
    ...once(),
    ...more,
  });
const dialects = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

/** The conversation can be sent to every provider. */
function assertSendable({ messages }) {
  assert.ok(isComplete(messages));
  for (const to of dialects) convertRequest({ model: "m", messages }, { from: "canonical", to });
}

for (const depth of [1, 90, 99, 100, 101, 126, 127, 500, 20_000]) {
  test(`a result that is nested ${depth} levels deep`, async () => {
    const outcome = await runs({ execute: () => deep(depth) });
    assert.equal(outcome.reason, "answer");
    const { c } = resultsIn(outcome.messages);
    if (depth > 100) assert.equal(c.error_type, "invalid_output");
    else assert.deepEqual(c, deep(depth));
    assertSendable(outcome);
  });

  test(`arguments that are nested ${depth} levels deep`, async () => {
    let count = 0;
    const value = deep(depth);
    const outcome = await runs({ parameters: { type: "object" }, execute: () => ++count }, once("f", { value }));
    assert.equal(outcome.reason, "answer");
    assert.equal(count, depth >= 100 ? 0 : 1);
    if (depth < 10_000) assertSendable(outcome);
    const [execution] = await new Toolkit([{ name: "f", parameters: { type: "object" }, execute: () => 1 }]).run([
      { id: "c", name: "f", arguments: { value } },
    ]);
    assert.equal(execution.status, depth >= 100 ? "failed" : "done");
    if (depth >= 100) assert.match(execution.error.message, /nested/);
  });
}

const odd = ["x", null, {}, [], -1, Number.NaN, Number.POSITIVE_INFINITY, 10n, true, undefined];
test("token counts that are not counts are ignored", async () => {
  for (const value of odd) {
    for (const usage of [{ input: value, output: 5 }, { total: value }, value]) {
      const tool = { execute: (_, { addUsage }) => addUsage(usage) };
      const model = scripted(response("", [["c", "f"]], { usage }), response("Done.", [], { usage: { output: 2 } }));
      const { reason, usage: sum } = await runs(tool, { ...model, maxUsage: { total: 100 } });
      assert.equal(reason, "answer");
      assert.ok(Object.values(sum).every((count) => Number.isFinite(count) && count >= 0));
    }
  }
});

test("half of a surrogate pair in a result becomes U+FFFD", async () => {
  const half = "\ud83d";
  const outputs = {
    text: [() => `a${half}`, "a\ufffd"],
    data: [() => ({ [half]: [half, "😀"] }), { "\ufffd": ["\ufffd", "😀"] }],
    tagged: [() => ({ kind: "text", value: half }), "\ufffd"],
    multimodal: [
      () => ({ kind: "multimodal", value: [{ type: "text", text: half }] }),
      [{ type: "text", text: "\ufffd" }],
    ],
    mcp: [() => ({ content: [{ type: "text", text: half }] }), "\ufffd"],
  };
  for (const [name, [execute, expected]] of Object.entries(outputs)) {
    const outcome = await runs({ execute });
    assert.deepEqual(resultsIn(outcome.messages).c, expected, name);
  }
  const thrown = await runs({
    execute() {
      throw new ToolError(half, { type: half });
    },
  });
  assert.deepEqual(resultsIn(thrown.messages).c, { error: "\ufffd", error_type: "\ufffd" });
});

test("half of a surrogate pair anywhere in a conversation is not sent", async () => {
  const half = "\ud83d";
  const request = {
    model: "m",
    messages: [
      { role: "user", content: `${half} \\ud83d 😀` },
      { role: "assistant", content: [], toolCalls: [{ id: "c", name: "f", arguments: { [half]: half } }] },
      { role: "tool", toolCallId: "c", name: "f", kind: "data", value: { v: half } },
    ],
  };
  for (const to of dialects) {
    for (const simulate of [undefined, simulateTools("hermes_json")]) {
      const bodies = [];
      const refuse = async (_, init) => bodies.push(init.body) && new Response("{}", { status: 400 });
      const toolkit = new Toolkit([{ name: "f", execute: () => 1 }]);
      const send = sendTo({ to, apiKey: "k", stream: false, fetch: refuse, ...(simulate && { simulate }) });
      await runAgent({ request, toolkit, send });
      assert.equal(bodies.length, 1, to);
      assert.ok(!/\\ud83d(?!")|\ud83d(?![\udc00-\udfff])/.test(bodies[0].replaceAll("\\\\ud83d", "")), to);
      assert.ok(bodies[0].includes("😀") && bodies[0].includes("\\\\ud83d"), to);
    }
  }
});

test("a malformed medium is an invalid result, so that the conversation goes on", async () => {
  const image = (source, more) => ({ type: "image", source, ...more });
  const png = { mediaType: "image/png" };
  const bad = [
    ...[null, 5, "text", [], {}, { type: "nope" }, { type: "text" }, { type: "text", text: 5 }, { type: "image" }],
    ...[image({}), image(null), image("x"), image({ type: "constructor" }), image({ type: "base64" }, png)],
    image({ type: "base64", data: "AAAA" }),
    image({ type: "base64", data: 5 }, png),
    image({ type: "base64", data: "####" }, png),
    image({ type: "base64", data: "" }, png),
    image({ type: "base64", data: "data:image/png;base64,AAAA" }, png),
    image({ type: "base64", data: "AAAA" }, { mediaType: 5 }),
    image({ type: "base64", data: "AAAA" }, { mediaType: "nonsense" }),
    ...[image({ type: "url" }), image({ type: "url", url: "not a url" }), image({ type: "file" })],
    ...[{ type: "data" }, { type: "native" }, { type: "text", text: "x", metadata: 5 }],
    { type: "document", source: { type: "text", data: 7 } },
  ];
  for (const block of bad) {
    const outcome = await runs({
      execute: () => ({ kind: "multimodal", value: [{ type: "text", text: "x" }, block] }),
    });
    const text = JSON.stringify(block);
    assert.equal(outcome.reason, "answer", text);
    assert.equal(resultsIn(outcome.messages).c.error_type, "invalid_output", text);
    assert.match(resultsIn(outcome.messages).c.error, /block 2/, text);
    assertSendable(outcome);
  }
  const good = [
    { type: "text", text: "x" },
    { type: "data", value: null },
    image({ type: "base64", data: "AA==" }, png),
    image({ type: "url", url: "https://example.com/x.png" }),
    image({ type: "url", url: "gs://bucket/x.png" }, png),
    image({ type: "file", id: "file_1" }, png),
    { type: "document", source: { type: "text", data: "x" } },
  ];
  const outcome = await runs({ execute: () => ({ kind: "multimodal", value: good }) });
  assert.deepEqual(resultsIn(outcome.messages).c, good);
  for (const metadata of [5, "x", []]) {
    const { messages } = await runs({ execute: () => ({ kind: "text", value: "x", metadata }) });
    assert.equal(resultsIn(messages).c.error_type, "invalid_output");
  }
});

// ---- functions that never end

const endless = {
  prepare: { prepare: forever },
  stopWhen: { stopWhen: forever },
  onState: { onState: forever },
  "onState at the end": { onState: ({ phase }) => (phase.type === "ended" ? forever() : undefined) },
  send: { send: forever },
  "a stream": {
    send: async function* () {
      yield { type: "start" };
      await forever();
    },
  },
  "a stream that never rests": {
    send: async function* () {
      for (;;) yield { type: "textDelta", block: 0, text: "x" };
    },
  },
  output: {
    output: { "~standard": { version: 1, vendor: "x", validate: forever, jsonSchema: { input: () => ({}) } } },
    send: async () => response("1"),
  },
  needsApproval: { tool: { needsApproval: forever } },
  approve: { tool: { needsApproval: true }, approve: forever, ends: "signal" },
  execute: { tool: { execute: forever } },
  toResult: { tool: { execute: () => 1, toResult: forever } },
  "a generator that never rests": {
    tool: {
      *execute() {
        for (;;) yield 1;
      },
    },
  },
  "an async generator that never rests": {
    tool: {
      async *execute() {
        for (;;) yield 1;
      },
    },
  },
  "a response whose body does not end": {
    tool: { execute: () => new Response(new ReadableStream({ pull: forever })) },
  },
  repairCall: {
    kit: { repairCall: forever },
    args: { n: "x" },
    tool: { parameters: { type: "object", properties: { n: { type: "integer" } } }, execute: () => 1 },
  },
  authorize: { kit: { authorize: forever }, tool: { requiresAuth: true, execute: () => 1 } },
  around: { kit: { around: forever }, tool: { execute: () => 1 } },
};

for (const [name, { tool, kit, args = {}, ends, ...more }] of Object.entries(endless)) {
  for (const by of ends ? [ends] : ["timeoutMs", "signal"]) {
    test(`${name} that does not end is ended by ${by}`, { timeout: 5000 }, async () => {
      const toolkit = new Toolkit([{ name: "f", execute: () => 1, ...tool }], kit);
      const controller = new AbortController();
      if (by === "signal") setTimeout(() => controller.abort(), 60);
      const bound = by === "signal" ? { signal: controller.signal } : { timeoutMs: 60 };
      const started = performance.now();
      const outcome = await runAgent({ request: user("x"), toolkit, ...once("f", args), ...bound, ...more });
      assert.ok(performance.now() - started < 2500);
      const isOver = name === "onState at the end";
      assert.equal(outcome.reason, isOver ? "answer" : by === "signal" ? "cancelled" : "timeout");
      if (by === "timeoutMs" && !isOver) assert.match(outcome.message, /60 ms.*timeoutMs/);
      assert.ok(isComplete(outcome.messages));
    });
  }
}

test("a call of toolkit.run ends after its own time, also while its output is converted", async () => {
  const slow = { name: "f", timeoutMs: 40, execute: () => new Response(new ReadableStream({ pull: forever })) };
  const [execution] = await new Toolkit([slow]).run([{ id: "c", name: "f", arguments: {} }]);
  assert.equal(execution.error.type, "timeout");
});

test("the body of a response that becomes a result is bounded", async () => {
  let pulled = 0;
  const body = () =>
    new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(2 ** 20));
      },
    });
  for (const [status, type, most] of [
    [200, "invalid_output", 40],
    [500, "http_error", 3],
  ]) {
    pulled = 0;
    const tool = { name: "f", execute: () => new Response(body(), { status }) };
    const [execution] = await new Toolkit([tool]).run([{ id: "c", name: "f", arguments: {} }]);
    assert.equal(execution.error.type, type);
    assert.ok(pulled <= most, `${pulled} MB were read`);
  }
});

test("progress is reported often enough, and no more; the event loop gets its turn", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const many = {
    async *execute() {
      for (let value = 0; value < 300_000; value++) yield value;
      return "done";
    },
  };
  const toolkit = new Toolkit([{ name: "f", ...many }]);
  const values = [];
  for await (const event of streamAgent({ request: user("x"), toolkit, ...once() }))
    if (event.type === "toolProgress") values.push(event.value);
  clearInterval(timer);
  assert.deepEqual(
    values.slice(0, 100),
    Array.from({ length: 100 }, (_, index) => index),
  );
  assert.ok(values.length < 400, `${values.length} values`);
  assert.ok(ticks > 2, `${ticks} ticks`);
});

test("whatever a send throws is an outcome", async () => {
  const thrown = [
    null,
    undefined,
    5,
    "no",
    Symbol("x"),
    10n,
    {},
    Object.create(null),
    [],
    new Error("no"),
    { message: 5 },
  ];
  const unreadable = new Proxy({}, { get: () => assert.fail("unreadable") });
  for (const value of [...thrown, unreadable]) {
    const toolkit = new Toolkit([]);
    const { reason, error } = await runAgent({ request: user("x"), toolkit, send: () => Promise.reject(value) });
    assert.deepEqual([reason, typeof error.code, typeof error.message], ["error", "string", "string"]);
  }
});

// ---- messages of the user

const steer = { role: "user", content: "STEER" };
const ending = {
  answer: {},
  stopped: { stopWhen: () => true },
  max_iterations: { maxIterations: 1 },
  unapproved: { tool: { needsApproval: true } },
  external: { tool: { execute: undefined } },
  cancelled: { cancels: true },
  timeout: { timeoutMs: 50, send: forever },
  error: { send: () => Promise.reject(new Error("no")) },
  repeating: { maxRepeats: 1 },
  budget: { maxUsage: { total: 1 } },
  repairs_exhausted: { maxRepairs: 0, call: "nothing" },
  length: { response: response("x", [], { finishReason: "length" }) },
};

for (const [reason, { tool, cancels, call = "f", response: last, ...options }] of Object.entries(ending)) {
  test(`a message that was accepted is kept when the run ends with ${reason}`, async () => {
    const results = [];
    let stream;
    const say = () => {
      results.push(stream.steer(steer));
      if (cancels) stream.cancel();
    };
    let count = 0;
    const send = async () => {
      count++;
      // the run may end after this request
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (count === 1) say();
      return last && count === 1 ? last : count === 1 ? response("", [["c", call]]) : (last ?? done);
    };
    const toolkit = new Toolkit([{ name: "f", execute: () => 1, ...tool }]);
    stream = streamAgent({ request: user("x"), toolkit, send, ...options });
    if (options.send) say();
    const outcome = await stream.outcome;
    const { messages, state } = outcome;
    assert.deepEqual(results, [true]);
    const isKept = messages.filter(({ content }) => content === "STEER").length;
    const isWaiting = JSON.stringify(state ?? {}).includes("STEER");
    assert.equal(isKept + Number(isWaiting), 1);
    if (reason !== "length") assert.equal(outcome.reason, reason);
    assert.equal(stream.steer(steer), false);
    if (!isWaiting) return;
    // the message is the user's reaction to nothing: the decision still counts, and the message follows
    const request = { messages };
    const given =
      reason === "unapproved"
        ? { decisions: { c: true } }
        : { results: [{ toolCallId: "c", name: "f", kind: "text", value: "1" }] };
    const { send: again, requests } = scripted(done);
    await resumeAgent({ request, toolkit, send: again, state: JSON.parse(JSON.stringify(state)), ...given });
    assert.deepEqual(
      requests[0].messages.map(({ role }) => role),
      ["user", "assistant", "tool", "user"],
    );
  });
}

// ---- streams and signals that are shared

test("the events of a stream can be read once", async () => {
  const stream = streamAgent({ request: user("x"), toolkit: new Toolkit([]), ...scripted(done) });
  const first = stream[Symbol.asyncIterator]();
  await first.next();
  const mistake = { code: "invalid_options", message: /only once/ };
  assert.throws(() => stream[Symbol.asyncIterator](), mistake);
  await assert.rejects(agentResponse(stream), mistake);
  for await (const _ of { [Symbol.asyncIterator]: () => first });
  assert.equal((await stream.outcome).reason, "answer");
});

test("many runs on one signal share one listener", async () => {
  const warnings = [];
  const warn = ({ name }) => warnings.push(name);
  process.on("warning", warn);
  const { signal } = new AbortController();
  let most = 0;
  const tool = { name: "f", execute: () => new Promise((resolve) => setTimeout(resolve, 10)) };
  const toolkit = new Toolkit([tool]);
  const all = Array.from({ length: 40 }, (_, index) => {
    const options = { request: user("x"), toolkit, ...once(), signal };
    return index % 2 ? runAgent(options) : streamAgent(options).outcome;
  });
  all.push(toolkit.run([{ id: "c", name: "f", arguments: {} }], { signal }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  most = getEventListeners(signal, "abort").length;
  await Promise.all(all);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("warning", warn);
  assert.deepEqual([most, getEventListeners(signal, "abort").length, warnings], [1, 0, []]);
});

test("a slow reader slows the model down", async () => {
  let sent = 0;
  const send = async function* () {
    for (; sent < 20_000; sent++) yield { type: "textDelta", block: 0, text: "x" };
    return done;
  };
  const stream = streamAgent({ request: user("x"), toolkit: new Toolkit([]), send });
  const iterator = stream[Symbol.asyncIterator]();
  for (let count = 0; count < 10; count++) {
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(sent < 400, `${sent} events`);
  let rest = 0;
  for await (const _ of { [Symbol.asyncIterator]: () => iterator }) rest++;
  assert.ok(rest > 19_000);
  assert.equal((await stream.outcome).reason, "answer");
});

test("a client that reads slowly slows the model down", async () => {
  let sent = 0;
  const send = async function* () {
    for (; sent < 20_000; sent++) yield { type: "textDelta", block: 0, text: "x" };
    return done;
  };
  const stream = streamAgent({ request: user("x"), toolkit: new Toolkit([]), send, timeoutMs: 200 });
  const reader = (await agentResponse(stream)).body.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(sent < 400, `${sent} events`);
  assert.equal((await stream.outcome).reason, "timeout", "a reader that stopped does not hold the run");
  await reader.cancel();
});

// ---- what the outcome says

test("each reason but answer has a message that names the option", async () => {
  const named = {
    stopped: /stopWhen/,
    max_iterations: /limit of 1 request .*maxIterations.*atLimit/,
    unapproved: /decisions.*approve/,
    external: /results/,
    cancelled: /cancel/,
    timeout: /50 ms.*timeoutMs/,
    error: /request to the model failed/,
    repeating: /maxRepeats/,
    budget: /maxUsage \(\{"total":1\}\)/,
    repairs_exhausted: /maxRepairs/,
    length: /maxTokens/,
  };
  for (const [reason, { tool, cancels, call = "f", response: last, ...options }] of Object.entries(ending)) {
    const toolkit = new Toolkit([{ name: "f", execute: () => 1, ...tool }]);
    const send = async () => last ?? response("", [["c", call]]);
    const signal = cancels ? AbortSignal.abort() : undefined;
    const script = reason === "answer" ? once() : { send };
    const outcome = await runAgent({ request: user("x"), toolkit, ...script, signal, ...options });
    assert.equal(outcome.reason, reason);
    if (reason === "answer") assert.equal("message" in outcome, false);
    else assert.match(outcome.message, named[reason]);
  }
  const dear = new Toolkit([{ name: "f", costPerUse: 3, execute: () => 1 }]);
  const { message } = await runAgent({ request: user("x"), toolkit: dear, ...once(), maxCost: 2 });
  assert.match(message, /maxCost \(2\)/);
});

test("a call that nobody waits for may have run, and the model is told", async () => {
  const told = async (policy, options) => {
    const outcome = await runs({ execute: forever, ...policy }, options);
    return resultsIn(outcome.messages).c.error;
  };
  assert.match(await told({ timeoutMs: 10 }), /did not finish within 10 ms.*may have run\./);
  assert.match(await told({ timeoutMs: 10, idempotent: false }), /may still take effect: do not repeat it/);
  assert.match(await told({ idempotent: false }, { timeoutMs: 20 }), /may still take effect/);
  const signal = AbortSignal.timeout(20);
  assert.match(await told({}, { signal }), /cancelled.*may have run/);
  const limited = new Toolkit([{ name: "f", parallel: false, timeoutMs: 30, execute: forever }]);
  const calls = ["a", "b"].map((id) => ({ id, name: "f", arguments: { id } }));
  const [, waiting] = await limited.run(calls, { timeoutMs: 20 });
  assert.doesNotMatch(waiting.error.message, /may have run/, "it never started");
});

test("retry_after_seconds is an integer, rounded up", async () => {
  const clock = { now: 0 };
  const tool = { name: "f", rateLimit: { calls: 1, perMs: 1500 }, execute: () => 1 };
  const toolkit = new Toolkit([tool], { now: () => clock.now });
  const call = { id: "c", name: "f", arguments: {} };
  await toolkit.run([call]);
  const [execution] = await toolkit.run([call]);
  assert.equal(execution.result.value.retry_after_seconds, 2);
  assert.match(execution.error.message, /Wait 2 s/);
});

test("values of another type are mistakes of the caller, with their place", async () => {
  const toolkit = new Toolkit([{ name: "f", execute: () => 1 }]);
  assert.throws(() => toolkit.unregister(5), { name: "ToolkitError", code: "invalid_options" });
  const state = { version: 2, runId: {}, phase: { type: "ready" } };
  await assert.rejects(resumeAgent({ request: user("x"), toolkit, ...scripted(done), state }), {
    name: "ToolkitError",
    message: /runId|expected a string/,
  });
});
