// Measures the loops in one process, alternately: `node worker.mjs TASK` prints, for each side, the nanoseconds of one turn and the ratio
// to the first of the other sides. `node worker.mjs runs COUNT` prints the bytes that each of COUNT concurrent runs keeps, and the number
// of timers left after all are cancelled.

import { sides, tasks } from "./sides.mjs";

const [task, count] = process.argv.slice(2);
/** Milliseconds. */
const [warmUp, measured, sample] = [1500, 6000, 20];

console.log(JSON.stringify(task === "runs" ? await heldByRuns(Number(count)) : await timesOfTurn(tasks[task])));

/**
 * Medians of each side: of its time, and of its ratio to the first of the other sides at about the same time, because other load slows
 * both.
 */
async function timesOfTurn(task) {
  const runs = await Promise.all(
    Object.entries(sides).map(async ([name, side]) => ({ name, run: await side(task), times: [] })),
  );
  const round = async () => {
    for (const { run, times } of runs) times.push(await timeOf(run, task.turns));
  };
  for (const end = performance.now() + warmUp; performance.now() < end; ) await round();
  for (const { times } of runs) times.length = 0;
  for (const end = performance.now() + measured; performance.now() < end || runs[0].times.length < 5; ) await round();
  const peer = runs[1].times;
  const shares = (times) => median(times.map((time, index) => time / peer[index]));
  return Object.fromEntries(runs.map(({ name, times }) => [name, { time: median(times) * 1e6, share: shares(times) }]));
}

async function timeOf(run, turns) {
  const start = performance.now();
  for (let count = 1; ; count++) {
    const taken = await run();
    if (taken !== turns) throw new Error(`${taken} turns, expected ${turns}`);
    if (performance.now() - start >= sample) return (performance.now() - start) / turns / count;
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Starts runs with tools that wait, all at once. */
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
