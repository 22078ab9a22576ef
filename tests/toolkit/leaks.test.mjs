// Many runs at the same time: nothing remains after their end, and the memory of a long run is limited.

import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { response, scripted, user } from "./support/model.mjs";
import { runAgent, streamAgent, Toolkit } from "./support/toolkit.mjs";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

async function collected() {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}

const forever = () => new Promise(() => {});
const toolkit = new Toolkit([
  { name: "never", execute: forever },
  { name: "listens", execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)) },
  { name: "alone", parallel: false, timeoutMs: 50, execute: forever },
]);
const calls = [
  ["n", "never"],
  ["l", "listens"],
];

/** What runs wait for when they are cancelled. */
const waits = {
  "a model": () => ({ send: forever }),
  "a stream of a model": () => ({
    async *send() {
      yield { type: "start" };
      await forever();
    },
  }),
  tools: () => scripted(response("", calls)),
  "a person": () => ({ ...scripted(response("", calls)), approve: forever }),
};

/** Starts this many runs, cancels all, and waits for their outcomes. */
async function round(start, count) {
  const controllers = Array.from({ length: count }, () => new AbortController());
  const outcomes = controllers.map(({ signal }, index) => {
    const options = { request: user("x"), toolkit, ...start(), signal };
    return index % 2 === 0 ? runAgent(options) : streamAgent(options).outcome;
  });
  await new Promise((resolve) => setTimeout(resolve, 30));
  for (const controller of controllers) controller.abort();
  for (const { reason } of await Promise.all(outcomes)) assert.equal(reason, "cancelled");
}

for (const [name, start] of Object.entries(waits)) {
  test(`a thousand runs that wait for ${name} leave no timer, no pending promise and no memory`, async () => {
    await round(start, 1000);
    await collected();
    const pending = new Map();
    const kinds = ["PROMISE", "Timeout"];
    const hook = createHook({
      init: (id, type) => kinds.includes(type) && pending.set(id, type),
      promiseResolve: (id) => pending.delete(id),
      destroy: (id) => pending.delete(id),
    }).enable();
    const before = process.memoryUsage().heapUsed;
    await round(start, 1000);
    await collected();
    hook.disable();
    const left = [...pending.values()];
    // at most those of this test
    assert.ok(left.filter((type) => type === "PROMISE").length < 50, `${left.length} promises and timers are left`);
    assert.equal(left.filter((type) => type === "Timeout").length, 0);
    pending.clear();
    gc();
    const grown = (process.memoryUsage().heapUsed - before) / 1000;
    assert.ok(grown < 500, `${grown} bytes are left of each run`);
  });
}

test("a long run holds nothing but its messages and executions", async () => {
  const echo = { name: "echo", parameters: { type: "object" }, execute: async ({ n }) => n };
  const used = [];
  const send = async (_, { iteration: n }) => {
    if (n % 1000 === 0) await collected();
    if (n % 1000 === 0) used.push(process.memoryUsage().heapUsed);
    return n < 4000 ? response("", [[`c${n}`, "echo", { n }]]) : response("Done.");
  };
  const options = { request: user("x"), toolkit: new Toolkit([echo]), send, maxIterations: 4000, timeoutMs: 600_000 };
  const { reason } = await runAgent(options);
  assert.equal(reason, "answer");
  const perTurn = (used.at(-1) - used[1]) / 2000;
  assert.ok(perTurn < 3000, `${perTurn} bytes per turn`);
});
