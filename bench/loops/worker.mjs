// Measures one loop, alone in its process: `node worker.mjs TASK SIDE` prints the nanoseconds of one turn. `node worker.mjs runs COUNT`
// prints the bytes that each of so many concurrent runs keeps, and the timers that are left once all are cancelled.

import { sides, tasks } from "./sides.mjs";

const [task, side] = process.argv.slice(2);
/** Milliseconds. */
const [warmUp, measured] = [800, 1200];

if (task === "runs") console.log(JSON.stringify(await heldByRuns(Number(side))));
else console.log(await timeOfTurn(tasks[task], sides[side]));

async function timeOfTurn(task, side) {
  const run = await side(task);
  const sample = async () => {
    const start = performance.now();
    const turns = await run();
    if (turns !== task.turns) throw new Error(`${turns} turns, expected ${task.turns}`);
    return (performance.now() - start) / turns;
  };
  for (const end = performance.now() + warmUp; performance.now() < end; ) await sample();
  const samples = [];
  for (const end = performance.now() + measured; performance.now() < end || samples.length < 3; )
    samples.push(await sample());
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] * 1e6;
}

/** Runs whose tools wait, all at once. */
async function heldByRuns(count) {
  const { runAgent, Toolkit } = await import("../../pkg/dist/toolkit/index.js");
  const toolkit = new Toolkit([{ name: "wait", execute: () => new Promise(() => {}) }], { concurrency: 1 });
  const toolCalls = [{ id: "c", name: "wait", arguments: {} }];
  const message = { role: "assistant", content: [], toolCalls };
  const send = async () => ({ message, text: "", toolCalls, invalidToolCalls: [], finishReason: "tool_calls" });
  const request = { messages: [{ role: "user", content: "Wait." }] };
  const round = async () => {
    const controllers = Array.from({ length: count }, () => new AbortController());
    const runs = controllers.map(({ signal }) => runAgent({ request, toolkit, send, signal }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const held = bytesUsed();
    for (const controller of controllers) controller.abort();
    const outcomes = await Promise.all(runs);
    if (outcomes.some(({ reason }) => reason !== "cancelled")) throw new Error("a run was not cancelled");
    return held;
  };
  await round();
  const before = bytesUsed();
  const rounds = [];
  for (let index = 0; index < 5; index++) rounds.push(await round());
  await new Promise((resolve) => setImmediate(resolve));
  const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  return { each: (rounds.at(-1) - before) / count, growth: (bytesUsed() - before) / (5 * count), timers };
}

function bytesUsed() {
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
