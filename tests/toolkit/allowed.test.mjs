// Which calls of a response may run: what its request allowed, how it ended, the budget. The same for whole responses, for calls that
// start early, and for resumed runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, response, resultsIn, scripted, streamed, user } from "./support/model.mjs";
import { resumeAgent, runAgent, Toolkit } from "./support/toolkit.mjs";

const number = { type: "object", properties: { n: { type: "integer" } } };

/** Tools that record their calls. */
function recorded(...more) {
  const ran = [];
  const named = (name, policy = {}) => ({ name, parameters: number, ...policy, execute: () => ran.push(name) && name });
  return { ran, toolkit: new Toolkit([named("a"), named("b"), ...more.map((args) => named(...args))]) };
}

const both = response("", [
  ["1", "a", { n: 1 }],
  ["2", "b", { n: 2 }],
]);
const done = response("Done.");
const stored = (value) => JSON.parse(JSON.stringify(value));

const restrictions = {
  "the tool choice none": [{ request: { toolChoice: "none" } }, []],
  "a named tool": [{ request: { toolChoice: { name: "b" } } }, ["b"]],
  "allowed tools": [{ request: { toolChoice: { allowed: ["a"], mode: "auto" } } }, ["a"]],
  "allowed tools, required": [{ request: { toolChoice: { allowed: ["b"], mode: "required" } } }, ["b"]],
  "no restriction": [{ request: { toolChoice: "required" } }, ["a", "b"]],
  "a choice of prepare": [{ prepare: () => ({ toolChoice: { name: "a" } }) }, ["a"]],
  "tools of prepare": [
    { prepare: ({ request: { tools } }) => ({ tools: tools.filter(({ name }) => name === "b") }) },
    ["b"],
  ],
  "no tools": [{ prepare: () => ({ tools: undefined }) }, []],
  "a filter": [{ filter: { names: ["a"] } }, ["a"]],
};

for (const [name, [{ request, ...options }, expected]] of Object.entries(restrictions)) {
  for (const [form, model, eager] of [
    ["whole", scripted, false],
    ["streamed", streamed, false],
    ["eager", streamed, true],
  ]) {
    test(`${name} decides which calls run, ${form}`, async () => {
      const { ran, toolkit } = recorded();
      const run = { request: { ...user("x"), ...request }, toolkit, eager, ...options };
      const outcome = await runAgent({ ...run, send: model(both, done).send });
      assert.deepEqual(ran, expected);
      assert.ok(isComplete(outcome.messages));
      const forbidden = outcome.executions.filter(({ status }) => status === "failed");
      assert.equal(forbidden.length, 2 - expected.length);
      for (const { error } of forbidden) assert.match(error.type, /not_allowed|unknown_tool/);
    });
  }

  test(`${name} decides which calls run after a crash`, async () => {
    const { ran, toolkit } = recorded();
    const run = { request: { ...user("x"), ...request }, toolkit, ...options };
    const states = [];
    const onState = (state, messages) => void states.push(stored([state, messages]));
    // the process ends when the response has arrived
    const crashed = runAgent({ ...run, send: scripted(both, done).send, onState, stopWhen: () => true });
    await crashed;
    const [state, messages] = states.find(([{ phase }]) => phase.type === "calling") ?? states[0];
    for (const call of state.calls) call.status = "new";
    ran.length = 0;
    const resumed = { ...run, request: { ...run.request, messages: messages.filter(({ role }) => role !== "tool") } };
    await resumeAgent({ ...resumed, send: scripted(done).send, state });
    if (state.calls.length > 0) assert.deepEqual(ran, expected);
    else assert.equal(expected.length, 0, "no call was allowed, so none was stored");
  });
}

test("a tool of the request that prepare left out is not requested from the caller", async () => {
  const request = { ...user("x"), tools: [{ name: "browser", parameters: { type: "object" } }] };
  const { toolkit } = recorded();
  const { send } = scripted(response("", [["x", "browser"]]), done);
  const outcome = await runAgent({ request, toolkit, send, prepare: () => ({ tools: [] }) });
  assert.equal(outcome.reason, "answer");
  assert.equal(resultsIn(outcome.messages).x.error_type, "not_allowed");
});

/** A `Send` that yields these events; it returns a response of what came before an `error`, or throws it. */
function events(finishReason, ...items) {
  const calls = items.filter((item) => Array.isArray(item));
  return async function* () {
    yield { type: "start" };
    for (const [block, item] of items.entries()) {
      if (item instanceof Error) throw item;
      if (typeof item === "string") yield { type: "textDelta", block, text: item };
      else if (Array.isArray(item)) {
        const [id, name, args] = item;
        yield { type: "toolCallStart", block, id, name };
        yield { type: "toolCallEnd", block, call: { id, name, arguments: args } };
      } else await item();
    }
    yield { type: "finish", finishReason };
    return response("", calls, { finishReason });
  };
}

const inTurn = (...sends) => {
  let count = 0;
  return { send: (...given) => (sends[count++] ?? (async () => done))(...given) };
};

for (const finishReason of ["length", "refusal", "content_filter"]) {
  test(`eager: the last call of a response that ends with ${finishReason} does not run`, async () => {
    const { ran, toolkit } = recorded();
    const { send } = inTurn(events(finishReason, ["1", "a", {}]));
    const outcome = await runAgent({ request: user("x"), toolkit, send, eager: true });
    assert.deepEqual(ran, []);
    assert.equal(resultsIn(outcome.messages)[1].error_type, "truncated");
  });
}

test("eager: a call that ran before the response was cut off keeps its result", async () => {
  const { ran, toolkit } = recorded();
  const { send } = inTurn(events("length", ["1", "a", {}], "and", ["2", "b", {}]));
  const outcome = await runAgent({ request: user("x"), toolkit, send, eager: true });
  assert.deepEqual(ran, ["a"]);
  const results = resultsIn(outcome.messages);
  assert.deepEqual([results[1], results[2].error_type], ["a", "truncated"]);
});

test("eager: the budget counts all calls of the response", async () => {
  const { ran, toolkit } = recorded(["dear", { costPerUse: 2 }]);
  const calls = [1, 2, 3, 4].map((n) => [String(n), "dear", { n }]);
  const { send } = inTurn(events("tool_calls", ...calls, "text"));
  const outcome = await runAgent({ request: user("x"), toolkit, send, eager: true, maxCost: 5 });
  assert.deepEqual([ran.length, outcome.cost, outcome.reason], [2, 4, "budget"]);
  assert.equal(outcome.executions.filter(({ error }) => error?.type === "budget_exceeded").length, 2);
});

test("eager: a response that breaks off keeps the executions, their cost and their usage", async () => {
  const spends = {
    name: "spends",
    costPerUse: 3,
    execute: (_, { addUsage }) => {
      addUsage({ input: 7 });
      return "spent";
    },
  };
  const hangs = { name: "hangs", execute: () => new Promise(() => {}) };
  const toolkit = new Toolkit([spends, hangs]);
  const broken = Object.assign(new Error("reset"), { code: "connection_failed", retryable: true });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
  const { send } = inTurn(events("stop", ["1", "spends", {}], ["2", "hangs", {}], "go", pause, broken));
  const outcome = await runAgent({ request: user("x"), toolkit, send, eager: true });
  assert.equal(outcome.reason, "error");
  const executions = outcome.executions.map(({ status, error }) => error?.type ?? status);
  assert.deepEqual([executions, outcome.cost, outcome.usage.input], [["done", "cancelled"], 3, 7]);
});

test("eager: the keys of calls are those that they have without it, and after a crash", async () => {
  const seen = {};
  for (const eager of [false, true]) {
    const keys = [];
    const states = [];
    const tool = { name: "keyed", execute: (_, { idempotencyKey }) => keys.push(idempotencyKey) };
    const toolkit = new Toolkit([tool]);
    const { send } = inTurn(events("tool_calls", ["1", "keyed", {}], ["x y", "keyed", {}], "text"));
    const onState = (state, messages) => void states.push(stored([state, messages]));
    const outcome = await runAgent({ request: user("x"), toolkit, send, eager, onState });
    const [state, messages] = states.findLast(([{ phase, calls }]) => phase.type === "calling" && calls.length === 2);
    for (const call of state.calls) call.status = "started";
    const request = { messages: messages.filter(({ role }) => role !== "tool") };
    await resumeAgent({ request, toolkit, send: scripted(done).send, state });
    const shown = keys.map((key) => key.replace(outcome.runId, "run"));
    assert.deepEqual(shown.slice(0, 2), shown.slice(2), "the same after a crash");
    for (const key of keys) assert.match(key, /^[\w:.-]+$/, "fits into a header");
    seen[eager] = shown;
  }
  assert.deepEqual(seen.true, seen.false);
});

test("a run whose budget does not cover a call ends", async () => {
  const { ran, toolkit } = recorded(["dear", { costPerUse: 2 }]);
  let count = 0;
  const send = async () => response("", [[`c${++count}`, "dear", { n: count }]]);
  const outcome = await runAgent({ request: user("x"), toolkit, send, maxCost: 5, maxIterations: 20 });
  assert.deepEqual([outcome.reason, ran.length, count], ["budget", 2, 3]);
  assert.ok(isComplete(outcome.messages));
  assert.match(outcome.message, /maxCost/);
});

test("after a crash, the calls of a response that was cut off do not run", async () => {
  const { ran, toolkit } = recorded();
  const states = [];
  const onState = (state, messages) => void states.push(stored([state, messages]));
  const cut = response("", [["1", "a", {}]], { finishReason: "length" });
  await runAgent({ request: user("x"), toolkit, send: scripted(cut, done).send, onState });
  const [state, messages] = states.find(([{ phase }]) => phase.type === "calling");
  state.calls[0].status = "new";
  const request = { messages: messages.filter(({ role }) => role !== "tool") };
  const resumed = await resumeAgent({ request, toolkit, send: scripted(done).send, state });
  assert.deepEqual([ran, resultsIn(resumed.messages)[1].error_type], [[], "truncated"]);
});
