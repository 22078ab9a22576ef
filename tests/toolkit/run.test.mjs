// Running the calls of a turn: order, isolation, concurrency, time limits, cancellation, retries.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { callOf, deferred, errorOf, settled, ToolError, Toolkit } from "./support/toolkit.mjs";

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const echo = { name: "echo", description: "Returns the text.", parameters: text, execute: ({ text }) => text };

test("results are in call order, for valid, invalid and unknown calls alike", async () => {
  const first = deferred();
  const slow = { name: "slow", execute: () => first.promise };
  const toolkit = new Toolkit([echo, slow]);
  const calls = [
    callOf("slow"),
    callOf("missing"),
    callOf("echo", { text: "a" }),
    { id: "broken", name: "echo", rawArguments: "no JSON at all", error: "not JSON" },
    callOf("echo", {}),
    callOf("echo", { text: "b" }),
  ];
  const running = toolkit.run(calls);
  first.resolve("first");
  const executions = await running;
  assert.deepEqual(
    executions.map(({ status, error }) => error?.type ?? status),
    ["done", "unknown_tool", "done", "invalid_arguments", "invalid_arguments", "done"],
  );
  assert.deepEqual(
    executions.map(({ call }) => call.id),
    calls.map(({ id }) => id),
  );
  assert.deepEqual(executions[2].result, { toolCallId: calls[2].id, name: "echo", kind: "text", value: "a" });
  for (const [index, { result }] of executions.entries()) assert.equal(result.toolCallId, calls[index].id);
});

test("names of Object.prototype are unknown tools", async () => {
  const toolkit = new Toolkit([echo]);
  const executions = await toolkit.run(
    ["constructor", "toString", "__proto__", "hasOwnProperty"].map((name) => callOf(name)),
  );
  for (const execution of executions) {
    const { error, error_type } = errorOf(execution);
    assert.equal(error_type, "unknown_tool");
    assert.match(error, /echo/);
  }
});

test("at most `concurrency` calls run at the same time, and all others after them", async () => {
  let running = 0;
  let most = 0;
  const busy = {
    name: "busy",
    async execute() {
      most = Math.max(most, ++running);
      await settled();
      running--;
      return most;
    },
  };
  const run = async (options) => {
    most = 0;
    const executions = await new Toolkit([busy], options).run(Array.from({ length: 20 }, () => callOf("busy")));
    assert.ok(executions.every(({ status }) => status === "done"));
    return most;
  };
  assert.equal(await run({ concurrency: 3 }), 3);
  assert.equal(await run({}), 8);
  assert.equal(await run({ concurrency: 1 }), 1);
});

test("a tool with `parallel: false` never runs twice at the same time, also across runs", async () => {
  let running = 0;
  const alone = {
    name: "alone",
    parallel: false,
    async execute() {
      assert.equal(++running, 1);
      await settled();
      running--;
      return "ok";
    },
  };
  const toolkit = new Toolkit([alone, echo]);
  const runs = [0, 1, 2].map(() => toolkit.run([callOf("alone"), callOf("echo", { text: "x" }), callOf("alone")]));
  for (const executions of await Promise.all(runs)) assert.ok(executions.every(({ status }) => status === "done"));
});

test("a call that waits for a lock when its run is cancelled does not keep the lock", async () => {
  const hold = deferred();
  const alone = { name: "alone", parallel: false, execute: () => hold.promise };
  const toolkit = new Toolkit([alone]);
  const first = toolkit.run([callOf("alone")]);
  const controller = new AbortController();
  const second = toolkit.run([callOf("alone")], { signal: controller.signal });
  await settled();
  controller.abort();
  assert.equal((await second)[0].error.type, "cancelled");
  hold.resolve("done");
  assert.equal((await first)[0].status, "done");
  assert.equal((await toolkit.run([callOf("alone")]))[0].status, "done");
});

test("a tool with `parallel: false` that ignores its time limit keeps its lock until it ends", async () => {
  const ended = deferred();
  const order = [];
  const alone = {
    name: "alone",
    parallel: false,
    timeoutMs: 400,
    execute: (_args, { call }) => {
      order.push(`${call.id} starts`);
      return call.id === "slow" ? ended.promise : "ok";
    },
  };
  const toolkit = new Toolkit([alone]);
  const [slow] = await toolkit.run([callOf("alone", {}, "slow")]);
  assert.equal(slow.error.type, "timeout");
  const next = toolkit.run([callOf("alone", {}, "next")]);
  for (let turn = 0; turn < 5; turn++) await settled();
  assert.deepEqual(order, ["slow starts"]);
  ended.resolve();
  assert.equal((await next)[0].status, "done");
  // a call that never ends does not block the tool after its time limit
  const stuck = new Toolkit([
    { ...alone, timeoutMs: 20, execute: (_args, { call }) => call.id === "next" || new Promise(() => {}) },
  ]);
  await stuck.run([callOf("alone", {}, "stuck")]);
  assert.equal((await stuck.run([callOf("alone", {}, "next")], { timeoutMs: 5000 }))[0].status, "done");
});

test("a time limit is enforced even if the tool ignores its signal, and the late result is reported", async () => {
  const late = deferred();
  const reported = deferred();
  let signal;
  const stubborn = {
    name: "stubborn",
    timeoutMs: 20,
    execute(_args, call) {
      signal = call.signal;
      return late.promise;
    },
  };
  const toolkit = new Toolkit([stubborn, echo], { onLateResult: reported.resolve });
  const [execution, sibling] = await toolkit.run([callOf("stubborn"), callOf("echo", { text: "fine" })]);
  assert.equal(errorOf(execution).error_type, "timeout");
  assert.match(errorOf(execution).error, /20 ms/);
  assert.equal(sibling.status, "done");
  assert.equal(signal.aborted, true);
  assert.equal(signal.reason.name, "TimeoutError");
  late.resolve("at last");
  const { status, result, call } = await reported.promise;
  assert.deepEqual([status, result.value, call.id], ["done", "at last", execution.call.id]);
});

test("a generator that is stopped gives no late result that it did not return", async () => {
  const late = [];
  const waits = deferred();
  const waiting = async function* () {
    yield 1;
    await waits.promise;
    yield 2;
    return 3;
  };
  const finishing = async function* () {
    yield 1;
    await waits.promise;
    return 3;
  };
  const toolkit = new Toolkit(
    [
      { name: "waiting", timeoutMs: 10, execute: waiting },
      { name: "finishing", timeoutMs: 10, execute: finishing },
    ],
    { onLateResult: ({ call, status, output, error }) => late.push([call.name, status, output ?? error.type]) },
  );
  await toolkit.run([callOf("waiting"), callOf("finishing")]);
  waits.resolve();
  await settled();
  assert.deepEqual(late.sort(), [
    ["finishing", "done", 3],
    ["waiting", "failed", "TimeoutError"],
  ]);
});

test("a time limit for all calls together fails those that have not ended", async () => {
  const never = { name: "never", execute: () => new Promise(() => {}) };
  const toolkit = new Toolkit([never, echo]);
  const executions = await toolkit.run([callOf("echo", { text: "x" }), callOf("never")], { timeoutMs: 20 });
  assert.deepEqual(
    executions.map(({ status, error }) => error?.type ?? status),
    ["done", "timeout"],
  );
});

test("after an abort every call has a result, whether it ran, waited or had not started", async () => {
  const controller = new AbortController();
  let started = 0;
  const hanging = {
    name: "hanging",
    execute(_args, { signal }) {
      started++;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const toolkit = new Toolkit([hanging, echo], { concurrency: 2 });
  const calls = [callOf("echo", { text: "x" }), ...Array.from({ length: 5 }, () => callOf("hanging"))];
  const running = toolkit.run(calls, { signal: controller.signal });
  await settled();
  await settled();
  controller.abort(new Error("secret reason"));
  const executions = await running;
  assert.equal(started, 2);
  assert.equal(executions[0].status, "done");
  for (const execution of executions.slice(1)) {
    assert.equal(errorOf(execution).error_type, "cancelled");
    assert.doesNotMatch(JSON.stringify(execution.result), /secret/);
  }
  const [unstarted] = await toolkit.run([callOf("echo", { text: "x" })], { signal: controller.signal });
  assert.equal(errorOf(unstarted).error_type, "cancelled");
  assert.equal(unstarted.attempts, 0);
});

test("failures are retried with exponential backoff", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const attempts = [];
  const flaky = {
    name: "flaky",
    maxRetries: 3,
    execute(_args, { attempt, idempotencyKey }) {
      attempts.push([attempt, idempotencyKey, now]);
      if (attempt < 4) throw new Error("not yet");
      return "done";
    },
  };
  const running = new Toolkit([flaky], { now: () => now }).run([callOf("flaky", {}, "c1")], { sessionId: "s" });
  for (const wait of [500, 1000, 2000]) {
    for (let turn = 0; turn < 5; turn++) await settled();
    now += wait;
    mock.timers.tick(wait);
  }
  const [execution] = await running;
  mock.timers.reset();
  assert.equal(execution.status, "done");
  assert.equal(execution.attempts, 4);
  assert.deepEqual(attempts, [
    [1, "s/c1", 0],
    [2, "s/c1", 500],
    [3, "s/c1", 1500],
    [4, "s/c1", 3500],
  ]);
  assert.equal(execution.durationMs, 0);
});

test("failures caused by the arguments, and calls that must not be repeated, are not retried", async () => {
  const cases = [
    [{}, new ToolError("no", { retryable: false })],
    [{}, new ToolError("no", { type: "invalid_arguments" })],
    [{ outputSchema: { type: "string" } }, undefined],
    [{ timeoutMs: 5, idempotent: false }, "hang"],
    [{ timeoutMs: 5, dangerous: true, needsApproval: false }, "hang"],
  ];
  for (const [policy, thrown] of cases) {
    let attempts = 0;
    const tool = {
      name: "once",
      maxRetries: 2,
      ...policy,
      execute() {
        attempts++;
        if (thrown === "hang") return new Promise(() => {});
        if (thrown) throw thrown;
        return { no: "string" };
      },
    };
    const [execution] = await new Toolkit([tool]).run([callOf("once")], { filter: { excludeDangerous: false } });
    assert.equal(execution.status, "failed");
    assert.equal(attempts, 1);
  }
});

test("the model sees name and message of an error, but no stack and no cause", async () => {
  const thrown = [
    Object.assign(new TypeError("x is not a function\n    at run (/home/me/secret.js:1:2)", { cause: "secret" })),
    new ToolError("No such city.", { type: "not_found", cause: new Error("secret") }),
    "just text",
    undefined,
    { message: "an object" },
    new DOMException("gone", "NotFoundError"),
    Object.assign(new Error("x"), { stack: "secret", message: "" }),
  ];
  const toolkit = new Toolkit([
    {
      name: "fail",
      parameters: { type: "object", properties: { index: { type: "integer" } } },
      execute({ index }) {
        throw thrown[index];
      },
    },
  ]);
  const executions = await toolkit.run(thrown.map((_, index) => callOf("fail", { index })));
  assert.deepEqual(executions.map(errorOf), [
    { error: "x is not a function", error_type: "TypeError" },
    { error: "No such city.", error_type: "not_found" },
    { error: "just text", error_type: "Error" },
    { error: "The tool failed.", error_type: "Error" },
    { error: "an object", error_type: "Error" },
    { error: "gone", error_type: "NotFoundError" },
    { error: "The tool failed.", error_type: "Error" },
  ]);
  assert.equal(executions[1].error.cause, thrown[1]);
  assert.doesNotMatch(JSON.stringify(executions.map(({ result }) => result)), /secret/);
});

test("formatError writes the message; if it fails, nothing of the error is shown", async () => {
  const fail = {
    name: "fail",
    execute() {
      throw new Error("internal detail");
    },
  };
  const format = async (formatError) =>
    errorOf((await new Toolkit([fail], { formatError }).run([callOf("fail")]))[0]).error;
  assert.equal(await format((error, call) => `${call.name}: ${error.message.length}`), "fail: 15");
  const broken = () => {
    throw new Error("no");
  };
  assert.equal(await format(broken), "The tool failed.");
});

test("a tool that ran is not repeated because toResult fails", async () => {
  let ran = 0;
  const toResult = () => {
    throw new TypeError("no such field");
  };
  const toolkit = new Toolkit([{ name: "send", maxRetries: 2, execute: () => ++ran, toResult }]);
  const [execution] = await toolkit.run([callOf("send")]);
  assert.deepEqual([ran, execution.attempts, execution.error.type], [1, 1, "TypeError"]);
});

test("around wraps every execution, and may replace it", async () => {
  const seen = [];
  let executed = 0;
  const counted = { name: "counted", execute: () => ++executed };
  const around = async (call, tool, next) => {
    seen.push([call.name, tool.name]);
    const execution = await next();
    return { ...execution, result: { ...execution.result, metadata: { traced: true } } };
  };
  const [execution] = await new Toolkit([counted], { around }).run([callOf("counted")]);
  assert.deepEqual(seen, [["counted", "counted"]]);
  assert.equal(execution.result.metadata.traced, true);
  const throwing = new Toolkit([counted], {
    around() {
      throw new Error("cache is down");
    },
  });
  assert.equal(errorOf((await throwing.run([callOf("counted")]))[0]).error, "cache is down");
  const forgetful = new Toolkit([counted], { around: async () => undefined });
  assert.match(errorOf((await forgetful.run([callOf("counted")]))[0]).error, /around must return an execution/);
  assert.equal(executed, 1);
});

test("a tool without execute leaves its calls to the caller, after they were checked", async () => {
  const toolkit = new Toolkit([{ name: "ask_user", parameters: text }]);
  const [external, invalid] = await toolkit.run([callOf("ask_user", { text: "?" }), callOf("ask_user", { text: [] })]);
  assert.equal(external.status, "external");
  assert.equal("result" in external, false);
  assert.equal(invalid.error.type, "invalid_arguments");
});

test("a tool can't change the arguments in the history", async () => {
  const call = callOf("greedy", { list: [1, 2] });
  const greedy = {
    name: "greedy",
    parameters: { type: "object", properties: { list: { type: "array" } } },
    execute: (args) => args.list.splice(0).length,
  };
  const [execution] = await new Toolkit([greedy]).run([call]);
  assert.equal(execution.output, 2);
  assert.deepEqual(call.arguments, { list: [1, 2] });
  assert.deepEqual(execution.call.arguments, { list: [1, 2] });
});

test("usage that tools add is summed per call", async () => {
  const asks = {
    name: "asks",
    execute(_args, { addUsage }) {
      addUsage({ input: 10, output: 2 });
      addUsage({ input: 5, output: 1, cached: 3 });
      return "x";
    },
  };
  const [execution] = await new Toolkit([asks]).run([callOf("asks")]);
  assert.deepEqual(execution.usage, { input: 15, output: 3, cached: 3 });
});

test("tools receive context, session and agent", async () => {
  const seen = [];
  const tool = {
    name: "who",
    execute: (_args, { context, sessionId, agentId, call }) =>
      void seen.push({ context, sessionId, agentId, id: call.id }),
  };
  await new Toolkit([tool]).run([callOf("who", {}, "c")], { context: { user: 7 }, sessionId: "s", agentId: "a" });
  assert.deepEqual(seen, [{ context: { user: 7 }, sessionId: "s", agentId: "a", id: "c" }]);
});

test("calls keep their metadata, and those that can't run their exact text", async () => {
  const toolkit = new Toolkit([echo]);
  const metadata = { thoughtSignature: "s" };
  const broken = { id: "b", name: "echo", rawArguments: "no JSON at all", error: "not JSON", metadata };
  const [coerced, failed] = await toolkit.run([{ ...callOf("echo", { text: 5 }), metadata }, broken]);
  assert.deepEqual([coerced.call.arguments, coerced.call.metadata], [{ text: "5" }, metadata]);
  assert.deepEqual(failed.call, broken);
});
