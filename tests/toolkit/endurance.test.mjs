// Processes that live long: neither the number of runs before nor that of runs beside it makes a run slower or larger.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

// before the package, which keeps its instance private
const memories = [];
const Instance = WebAssembly.Instance;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    if (this.exports.memory !== undefined) memories.push(this.exports.memory);
  }
};
const { response, user } = await import("./support/model.mjs");
const { runAgent, Toolkit } = await import("./support/toolkit.mjs");

const toolkit = new Toolkit([{ name: "add", execute: async ({ a, b }) => a + b }]);
const sum = { a: 19, b: 23 };

/** A run of two turns: a call, then the text. */
async function run(wait = Promise.resolve()) {
  const send = async (_, { iteration }) => {
    await wait;
    return iteration === 1 ? response("", [["c", "add", sum]]) : response("42");
  };
  const { reason, messages } = await runAgent({ request: user("19 + 23?"), toolkit, send });
  assert.equal(reason, "answer");
  assert.equal(messages.at(-2).value, 42);
}

/** Bytes: of the heap without garbage, and of the memory of the wasm. */
async function used() {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  const wasm = memories.reduce((bytes, { buffer }) => bytes + buffer.byteLength, 0);
  return { heap: process.memoryUsage().heapUsed, wasm };
}

/** Milliseconds of CPU: other programs do not count. */
async function timeOf(task) {
  const before = process.cpuUsage();
  await task();
  const { user: inProgram, system } = process.cpuUsage(before);
  return (inProgram + system) / 1000;
}

async function inSequence(count) {
  for (let index = 0; index < count; index++) await run();
}

test("20,000 runs, one after the other, stay as fast and as small as the first", async (t) => {
  await inSequence(2_000);
  const before = await used();
  const times = [];
  for (let part = 0; part < 4; part++) times.push(await timeOf(() => inSequence(5_000)));
  const after = await used();
  const perRun = (after.heap - before.heap) / 20_000;
  t.diagnostic(`CPU ms per 5,000 runs: ${times.map(Math.round).join(", ")}; heap bytes per run: ${perRun.toFixed(1)}`);
  assert.ok(perRun < 100, `${perRun} bytes are left of each run`);
  assert.equal(after.wasm, before.wasm);
  // a time that grew with each run would be a multiple; the bound leaves room for garbage collection
  assert.ok(times[3] < 1.5 * times[0], `${times}`);
});

test("2,000 runs at the same time end, and leave nothing", async (t) => {
  const together = async (count) => {
    let start;
    const wait = new Promise((resolve) => {
      start = resolve;
    });
    const runs = Array.from({ length: count }, () => run(wait));
    await new Promise((resolve) => setImmediate(resolve));
    start();
    await Promise.all(runs);
  };
  await together(2_000);
  const before = await used();
  const alone = await timeOf(() => inSequence(2_000));
  const times = [];
  for (let round = 0; round < 5; round++) times.push(await timeOf(() => together(2_000)));
  const after = await used();
  const perRun = (after.heap - before.heap) / 10_000;
  t.diagnostic(`CPU ms: ${Math.round(alone)} in sequence, ${times.map(Math.round).join(", ")} together`);
  t.diagnostic(`heap bytes per run: ${perRun.toFixed(1)}, wasm: ${after.wasm}`);
  assert.ok(perRun < 100, `${perRun} bytes are left of each run`);
  assert.equal(after.wasm, before.wasm);
  assert.ok(Math.min(...times) < 3 * alone, `${alone} in sequence, ${times} together`);
});
