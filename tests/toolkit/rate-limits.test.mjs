// Rate limits: rejected or delayed calls, keys, and the state between processes.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { callOf, errorOf, settled, Toolkit } from "./support/toolkit.mjs";

const limited = (policy) => ({ name: "limited", rateLimit: { calls: 2, perMs: 1000 }, execute: () => "ok", ...policy });
const types = (executions) => executions.map(({ status, error }) => error?.type ?? status);

test("calls over the limit are rejected, with the time to wait", async () => {
  let now = 0;
  const toolkit = new Toolkit([limited()], { now: () => now });
  const calls = () => [1, 2, 3].map(() => callOf("limited"));
  const executions = await toolkit.run(calls());
  assert.deepEqual(types(executions), ["done", "done", "rate_limited"]);
  assert.equal(executions[2].error.retryAfterMs, 1000);
  assert.equal(errorOf(executions[2]).retry_after_seconds, 1);
  assert.equal(executions[2].attempts, 0);
  now = 1000;
  assert.deepEqual(types(await toolkit.run(calls())), ["done", "done", "rate_limited"]);
});

test("a number is calls per minute, at even distances", async () => {
  let now = 0;
  const toolkit = new Toolkit([limited({ rateLimit: 30 })], { now: () => now });
  assert.deepEqual(types(await toolkit.run([callOf("limited")])), ["done"]);
  now = 1500;
  const [execution] = await toolkit.run([callOf("limited")]);
  assert.equal(execution.error.retryAfterMs, 500);
  now = 2000;
  assert.deepEqual(types(await toolkit.run([callOf("limited")])), ["done"]);
});

test("sessions and agents have limits of their own; calls without a session share one", async () => {
  const toolkit = new Toolkit([limited({ rateLimit: { calls: 1, perMs: 1000 } })], { now: () => 0 });
  const run = async (options) => types(await toolkit.run([callOf("limited")], options))[0];
  assert.equal(await run({ sessionId: "a" }), "done");
  assert.equal(await run({ sessionId: "a" }), "rate_limited");
  assert.equal(await run({ sessionId: "b" }), "done");
  assert.equal(await run({ sessionId: "a", agentId: "x" }), "done");
  assert.equal(await run({}), "done");
  assert.equal(await run({}), "rate_limited");
});

test("calls wait for room, while time remains, and not in a slot that others could use", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const other = { name: "other", execute: () => "ok" };
  const toolkit = new Toolkit([limited({ onRateLimit: "wait" }), other], { now: () => now, concurrency: 1 });
  const ended = [];
  const stream = toolkit.stream([...[1, 2, 3, 4, 5].map(() => callOf("limited")), callOf("other")]);
  const consumed = (async () => {
    for await (const event of stream) if (event.type === "toolEnd") ended.push([event.execution.call.name, event.time]);
  })();
  for (const _ of [1, 2, 3]) {
    for (let turn = 0; turn < 10; turn++) await settled();
    now += 1000;
    mock.timers.tick(1000);
  }
  await consumed;
  mock.timers.reset();
  assert.deepEqual(ended, [
    ["limited", 0],
    ["limited", 0],
    ["other", 0],
    ["limited", 1000],
    ["limited", 1000],
    ["limited", 2000],
  ]);
});

test("a call that would wait longer than the run lasts is rejected at once", async () => {
  const toolkit = new Toolkit([limited({ onRateLimit: "wait", rateLimit: { calls: 1, perMs: 60_000 } })]);
  const started = Date.now();
  const executions = await toolkit.run([callOf("limited"), callOf("limited")], { timeoutMs: 5000 });
  assert.deepEqual(types(executions), ["done", "rate_limited"]);
  assert.ok(Date.now() - started < 2000);
});

test("each attempt counts", async () => {
  let attempts = 0;
  const flaky = limited({
    maxRetries: 5,
    execute() {
      attempts++;
      throw new Error("down");
    },
  });
  const [execution] = await new Toolkit([flaky], { now: () => 0 }).run([callOf("limited")]);
  assert.equal(attempts, 2);
  assert.equal(errorOf(execution).error, "down");
});

test("calls that the limit would reject are not submitted for approval", async () => {
  let asked = 0;
  const approve = () => ++asked > 0;
  const toolkit = new Toolkit([limited({ needsApproval: true, rateLimit: { calls: 1, perMs: 1000 } })], {
    now: () => 0,
  });
  assert.deepEqual(types(await toolkit.run([callOf("limited")], { approve })), ["done"]);
  assert.deepEqual(types(await toolkit.run([callOf("limited")], { approve })), ["rate_limited"]);
  assert.equal(asked, 1);
});

test("the state is plain JSON, and continues in another process", async () => {
  const first = new Toolkit([limited()], { now: () => 0 });
  await first.run([callOf("limited"), callOf("limited")], { sessionId: "s" });
  const rateLimits = JSON.parse(JSON.stringify(first.rateLimits()));
  assert.equal(rateLimits.version, 1);
  const second = new Toolkit([limited()], { now: () => 500, rateLimits });
  const [execution] = await second.run([callOf("limited")], { sessionId: "s" });
  assert.equal(execution.error.retryAfterMs, 500);
  assert.throws(() => new Toolkit([], { rateLimits: { version: 2 } }), { name: "ToolkitError", code: "invalid_state" });
});

test("a clock that goes backwards does not", async () => {
  const times = [1000, 0, 0, 0, 0, 0, 0, 0];
  const toolkit = new Toolkit([limited({ rateLimit: { calls: 1, perMs: 1000 } })], { now: () => times.shift() ?? 0 });
  await toolkit.run([callOf("limited")]);
  const [execution] = await toolkit.run([callOf("limited")]);
  assert.equal(execution.error.retryAfterMs, 1000);
});
