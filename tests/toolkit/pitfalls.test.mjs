// Common mistakes of agent loops, each as a whole run.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, response, resultsIn, scripted, user } from "./support/model.mjs";
import { resumeAgent, runAgent, Toolkit } from "./support/toolkit.mjs";

const number = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const done = response("Done.");

/** A tool that records its calls. */
function recorder(more = {}) {
  const ran = [];
  const tool = { name: "note", parameters: number, execute: ({ n }) => ran.push(n) && n * 2, ...more };
  return { ran, tool };
}

const runWith = (tools, responses, options = {}) => {
  const { send, requests } = scripted(...responses);
  const running = runAgent({ request: user("x"), toolkit: new Toolkit(tools), send, ...options });
  return running.then((outcome) => ({ outcome, requests }));
};

test("two calls with one id run with their own arguments, and the history has one result for each", async () => {
  const { ran, tool } = recorder();
  const twice = response("", [
    ["same", "note", { n: 1 }],
    ["same", "note", { n: 5 }],
  ]);
  const { requests } = await runWith([tool], [twice, done]);
  assert.deepEqual(ran, [1, 5]);
  const [, { toolCalls }, ...results] = requests[1].messages;
  assert.deepEqual(
    toolCalls.map((call) => call.arguments.n),
    [1, 5],
  );
  assert.deepEqual(
    results.map(({ toolCallId, value }) => [toolCallId, value]),
    toolCalls.map(({ id }, index) => [id, [2, 10][index]]),
  );
  assert.equal(new Set(toolCalls.map(({ id }) => id)).size, 2);
});

test("two calls that are equal in id, name and arguments run once, and both get the result", async () => {
  const { ran, tool } = recorder({ costPerUse: 2 });
  const twice = response("", [
    ["same", "note", { n: 3 }],
    ["same", "note", { n: 3 }],
  ]);
  const { outcome, requests } = await runWith([tool], [twice, done]);
  assert.deepEqual(ran, [3]);
  assert.equal(outcome.cost, 2);
  const [, { toolCalls }, ...results] = requests[1].messages;
  assert.equal(toolCalls.length, 2);
  assert.deepEqual(
    results.map(({ toolCallId, value }) => [toolCallId, value]),
    toolCalls.map(({ id }) => [id, 6]),
  );
});

test("an id that an earlier turn used still gets its own result", async () => {
  const { tool } = recorder();
  const { outcome } = await runWith(
    [tool],
    [response("", [["c", "note", { n: 1 }]]), response("", [["c", "note", { n: 2 }]]), done],
  );
  const results = outcome.messages.filter(({ role }) => role === "tool");
  assert.deepEqual(
    results.map(({ value }) => value),
    [2, 4],
  );
  assert.ok(isComplete(outcome.messages));
});

test("a tool that ignores its signal does not hold up the run", async () => {
  const { ran, tool } = recorder();
  const stubborn = { name: "stubborn", timeoutMs: 20, execute: () => new Promise(() => {}) };
  const calls = [
    ["s", "stubborn"],
    ["n", "note", { n: 1 }],
  ];
  const { outcome } = await runWith([tool, stubborn], [response("", calls), done]);
  assert.equal(outcome.reason, "answer");
  const { s, n } = resultsIn(outcome.messages);
  assert.deepEqual([s.error_type, n, ran], ["timeout", 2, [1]]);
  assert.match(s.error, /20 ms/);
});

test("a complete call in an incomplete response does not run, but gets a result", async () => {
  for (const finishReason of ["length", "content_filter", "refusal"]) {
    const { ran, tool } = recorder();
    const cut = response("", [["c", "note", { n: 1 }]], { finishReason });
    const { outcome, requests } = await runWith([tool], [cut, done]);
    assert.deepEqual([outcome.reason, ran], ["answer", []], finishReason);
    assert.equal(resultsIn(requests[1].messages).c.error_type, "truncated", finishReason);
  }
});

test("a complete call with an unusual finish reason runs", async () => {
  for (const finishReason of ["stop", "other", "tool_calls"]) {
    const { ran, tool } = recorder();
    const { outcome } = await runWith([tool], [response("", [["c", "note", { n: 1 }]], { finishReason }), done]);
    assert.deepEqual([outcome.reason, ran], ["answer", [1]], finishReason);
  }
});

test("an output that is not JSON is an error result, and nothing at all is an empty one", async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const outputs = { cycle: cyclic, bigint: 1n, nothing: undefined };
  const tools = Object.entries(outputs).map(([name, value]) => ({ name, execute: () => value }));
  const calls = Object.keys(outputs).map((name) => [name, name]);
  const { outcome } = await runWith(tools, [response("", calls), done]);
  assert.equal(outcome.reason, "answer");
  const { cycle, bigint, nothing } = resultsIn(outcome.messages);
  assert.match(cycle.error, /contains itself/);
  assert.match(bigint.error, /bigint/);
  assert.equal(nothing, "");
});

test("halves of surrogate pairs in arguments and results do not end the run", async () => {
  const half = { name: "half", parameters: { type: "object" }, execute: ({ text }) => `${text} \ud800` };
  const { outcome, requests } = await runWith([half], [response("", [["c", "half", { text: "\udc00" }]]), done]);
  assert.equal(outcome.reason, "answer");
  assert.equal(resultsIn(requests[1].messages).c, "\ufffd \ufffd");
});

test("arguments that are not JSON stay in the history as the model wrote them, with a result", async () => {
  const { ran, tool } = recorder();
  const { requests } = await runWith([tool], [response("", [["c", "note", "{n = one]"]]), done]);
  const [, assistant, result] = requests[1].messages;
  assert.equal(assistant.invalidToolCalls[0].rawArguments, "{n = one]");
  assert.equal(assistant.toolCalls, undefined);
  assert.deepEqual([result.toolCallId, result.value.error_type, ran], ["c", "invalid_arguments", []]);
});

test("one call that waits for approval holds up neither its siblings nor repeats them", async () => {
  const { ran, tool } = recorder();
  const pay = recorder({ name: "pay", needsApproval: true });
  const toolkit = new Toolkit([tool, pay.tool]);
  const mixed = response("", [
    ["n", "note", { n: 1 }],
    ["p", "pay", { n: 7 }],
  ]);
  const first = await runAgent({ request: user("x"), toolkit, send: scripted(mixed).send });
  assert.deepEqual([first.reason, ran, pay.ran], ["unapproved", [1], []]);
  assert.deepEqual(
    first.pending.map(({ id }) => id),
    ["p"],
  );
  const { send, requests } = scripted(done);
  const request = { messages: first.messages };
  const resumed = await resumeAgent({ request, toolkit, send, state: first.state, decisions: { p: true } });
  assert.deepEqual([resumed.reason, ran, pay.ran], ["answer", [1], [7]]);
  assert.deepEqual(resultsIn(requests[0].messages), { n: 2, p: 14 });
});

test("after an abort every call has a result, also those that had not started", async () => {
  const started = [];
  const hang = { name: "hang", execute: (_, { call }) => started.push(call.id) && new Promise(() => {}) };
  const toolkit = new Toolkit([hang], { concurrency: 2 });
  const controller = new AbortController();
  const calls = ["a", "b", "c", "d"].map((id) => [id, "hang"]);
  setTimeout(() => controller.abort(), 15);
  const outcome = await runAgent({
    request: user("x"),
    toolkit,
    send: scripted(response("", calls)).send,
    signal: controller.signal,
  });
  assert.deepEqual([outcome.reason, started], ["cancelled", ["a", "b"]]);
  const results = Object.values(resultsIn(outcome.messages));
  assert.deepEqual(
    results.map(({ error_type }) => error_type),
    Array(4).fill("cancelled"),
  );
  assert.ok(isComplete(outcome.messages));
});

test("a long run leaves no listeners on its signals", async () => {
  const { tool } = recorder({ execute: async ({ n }, { signal }) => signal.aborted || n });
  let listening = 0;
  const { addEventListener, removeEventListener } = AbortSignal.prototype;
  AbortSignal.prototype.addEventListener = function (...given) {
    listening++;
    return addEventListener.apply(this, given);
  };
  AbortSignal.prototype.removeEventListener = function (...given) {
    listening--;
    return removeEventListener.apply(this, given);
  };
  try {
    const seen = [];
    const turns = Array.from(
      { length: 20 },
      (_, n) => () => seen.push(listening) && response("", [["c", "note", { n }]]),
    );
    const { signal } = new AbortController();
    await runWith([tool], [...turns, done], { maxIterations: 30, signal });
    // one listener, on the caller's signal
    assert.deepEqual(seen, Array(20).fill(1));
    assert.equal(listening, 0);
  } finally {
    Object.assign(AbortSignal.prototype, { addEventListener, removeEventListener });
  }
});

test("a model that repeats the same invalid call is stopped", async () => {
  const { ran, tool } = recorder();
  const again = () => response("", [["c", "note", { n: "many" }]]);
  const { outcome, requests } = await runWith([tool], Array.from({ length: 10 }, again), { maxIterations: 10 });
  assert.deepEqual([outcome.reason, requests.length, ran], ["repairs_exhausted", 3, []]);
  assert.ok(isComplete(outcome.messages));
});

test("a model that repeats the same valid call is stopped, also if a tool fails the same way each time", async () => {
  const broken = {
    name: "broken",
    execute: () => {
      throw new Error("no such file");
    },
  };
  const again = () => response("", [["c", "broken"]]);
  const { outcome, requests } = await runWith([broken], Array.from({ length: 10 }, again), { maxIterations: 10 });
  assert.deepEqual([outcome.reason, requests.length], ["repeating", 3]);
});

test("the same call with another result is not a repetition", async () => {
  let count = 0;
  const poll = { name: "poll", execute: () => ++count };
  const responses = [...Array.from({ length: 6 }, () => response("", [["c", "poll"]])), done];
  const { outcome } = await runWith([poll], responses, { maxIterations: 10 });
  assert.deepEqual([outcome.reason, outcome.iterations], ["answer", 7]);
});

test("a user message while an approval is open denies the call, and the run continues", async () => {
  const pay = recorder({ name: "pay", needsApproval: true });
  const toolkit = new Toolkit([pay.tool]);
  const send = scripted(response("", [["p", "pay", { n: 7 }]])).send;
  const first = await runAgent({ request: user("x"), toolkit, send });
  const messages = [...first.messages, { role: "user", content: "Forget it." }];
  const second = scripted(done);
  const resumed = await resumeAgent({ request: { messages }, toolkit, send: second.send, state: first.state });
  assert.deepEqual([resumed.reason, pay.ran], ["answer", []]);
  const [, , result, last] = second.requests[0].messages;
  assert.deepEqual([result.toolCallId, result.value.error_type, last.content], ["p", "denied", "Forget it."]);
});

test("a crash after the effect of a call and before its result does not repeat the effect", async () => {
  const effects = new Map();
  /** Takes effect once per key, and crashes the first time. */
  const charge = (idempotent) => ({
    name: "charge",
    idempotent,
    execute: (_, { idempotencyKey }) => {
      effects.set(idempotencyKey, (effects.get(idempotencyKey) ?? 0) + 1);
      return "charged";
    },
  });
  const crash = new Error("power failure");
  for (const idempotent of [true, false]) {
    effects.clear();
    let stored;
    const onState = (state, messages) => {
      if (state.calls.some(({ status }) => status === "ended")) throw crash;
      stored = JSON.parse(JSON.stringify({ state, messages }));
    };
    const toolkit = new Toolkit([charge(idempotent)]);
    const send = scripted(response("", [["c", "charge"]])).send;
    await assert.rejects(runAgent({ request: user("x"), toolkit, send, onState }), crash);
    const { state, messages } = stored;
    const outcome = await resumeAgent({ request: { messages }, toolkit, send: scripted(done).send, state });
    assert.equal(outcome.reason, idempotent ? "answer" : "unapproved");
    assert.deepEqual([...effects.values()], [idempotent ? 2 : 1], "one key, whatever the number of attempts");
  }
});

test("a send that returns a provider's own response is an error of the program", async () => {
  const send = async () => ({ choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] });
  await assert.rejects(runAgent({ request: user("x"), toolkit: new Toolkit([]), send }), {
    name: "ToolkitError",
    code: "invalid_options",
    path: "/send",
    message: /expected a ChatResponse/,
  });
});
