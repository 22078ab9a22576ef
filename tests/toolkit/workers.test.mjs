// Tools that run in workers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { callOf, deferred, errorOf, inWorker, Toolkit } from "./support/toolkit.mjs";

const module = (name) => new URL(`support/workers/${name}.mjs`, import.meta.url);
const sandboxed = (name, policy) => ({ name, sandboxed: true, execute: inWorker(module(name)), ...policy });
const echo = { name: "echo", execute: () => "still here" };
const way = (name) => callOf("varied", { way: name });
const any = { type: "object" };

test("the function receives arguments and context, and its result comes back", async () => {
  const toolkit = new Toolkit([sandboxed("double", { parameters: any })]);
  const [execution] = await toolkit.run([callOf("double", { n: 4 }, "c")], { context: { user: 7 }, sessionId: "s" });
  assert.deepEqual(execution.result.value, {
    doubled: 8,
    name: "double",
    context: { user: 7 },
    attempt: 1,
    idempotencyKey: "s/c",
    sessionId: "s",
  });
});

test("a function that loops forever is stopped, and its siblings run", async () => {
  const late = deferred();
  const toolkit = new Toolkit([sandboxed("endless", { timeoutMs: 300 }), echo], { onLateResult: late.resolve });
  const started = Date.now();
  const [endless, sibling] = await toolkit.run([callOf("endless"), callOf("echo")]);
  assert.equal(errorOf(endless).error_type, "timeout");
  assert.equal(sibling.result.value, "still here");
  assert.ok(Date.now() - started < 5000);
  const { status, error } = await late.promise;
  assert.deepEqual([status, error.type], ["failed", "TimeoutError"]);
});

test("cancelling the run stops the worker", async () => {
  const controller = new AbortController();
  const running = new Toolkit([sandboxed("endless")]).run([callOf("endless")], { signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  assert.equal((await running)[0].error.type, "cancelled");
});

test("a function that exhausts its memory ends as out_of_memory, and its siblings run", async () => {
  const toolkit = new Toolkit([sandboxed("greedy", { memoryLimitMb: 32 }), echo]);
  const [greedy, sibling] = await toolkit.run([callOf("greedy"), callOf("echo")]);
  assert.equal(errorOf(greedy).error_type, "out_of_memory");
  assert.match(errorOf(greedy).error, /32 MB/);
  assert.equal(sibling.status, "done");
});

test("errors, progress and usage cross the boundary", async () => {
  const toolkit = new Toolkit([sandboxed("varied", { parameters: any })]);
  const calls = ["throws", "toolError", "notCloned", "exits", "usage", "progress", "signal", "sync"].map(way);
  const progress = [];
  const stream = toolkit.stream(calls);
  let step = await stream.next();
  for (; !step.done; step = await stream.next())
    if (step.value.type === "toolProgress") progress.push(step.value.value);
  const [throws, toolError, notCloned, exits, usage, last, signal, sync] = step.value;
  assert.deepEqual(errorOf(throws), { error: "too far", error_type: "RangeError" });
  assert.deepEqual(errorOf(toolError), { error: "no such city", error_type: "not_found" });
  assert.equal(errorOf(notCloned).error_type, "DataCloneError");
  assert.equal(errorOf(exits).error_type, "sandbox_error");
  assert.deepEqual([usage.result.value, usage.usage], ["counted", { input: 5 }]);
  assert.deepEqual([progress.sort(), last.result.value, sync.result.value], [[1, 2, 3], "three", "four"]);
  assert.equal(signal.result.value, false);
});

test("values that can't be cloned, or are not functions, fail without affecting other calls", async () => {
  const toolkit = new Toolkit([sandboxed("double"), { name: "missing", execute: inWorker(module("nothing")) }]);
  const [double, missing] = await toolkit.run([callOf("double"), callOf("missing")], { context: () => 1 });
  assert.match(errorOf(double).error, /can't be cloned/);
  assert.equal(missing.status, "failed");
  assert.doesNotMatch(JSON.stringify(missing.result), /\n\s+at /);
});

test("a sandboxed tool must be a function in a worker", () => {
  const register = () => new Toolkit([{ name: "t", sandboxed: true, execute: () => 1 }]);
  assert.throws(register, { name: "ToolkitError", code: "sandbox_missing" });
  assert.throws(() => new Toolkit([{ name: "t", sandboxed: true }]), { code: "sandbox_missing" });
});

test("without workers, a sandboxed tool can't be registered", () => {
  const { getBuiltinModule } = process;
  process.getBuiltinModule = undefined;
  try {
    assert.throws(() => new Toolkit([sandboxed("double")]), { code: "sandbox_missing" });
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
});

test("ended calls leave nothing behind that keeps the process alive", () => {
  const toolkit = new URL("../../pkg/dist/toolkit/index.js", import.meta.url);
  const script = `
    const { inWorker, Toolkit } = await import(${JSON.stringify(toolkit)});
    const execute = inWorker(${JSON.stringify(module("double"))});
    const toolkit = new Toolkit([{ name: "double", sandboxed: true, execute, parameters: { type: "object" } }]);
    const [{ result }] = await toolkit.run([{ id: "c", name: "double", arguments: { n: 2 } }]);
    console.log(result.value.doubled);`;
  const args = ["--input-type=module", "--eval", script];
  assert.equal(execFileSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 }), "4\n");
});
