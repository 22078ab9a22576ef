// Measures two loops in one process, alternately: `node worker.mjs TASK SIDE` prints, for the first side and SIDE, the nanoseconds of one
// turn and the ratio to SIDE. `node worker.mjs lengths` prints the same for the first side in each task, with the ratio to the first
// task. `node worker.mjs runs COUNT` prints the bytes that each of COUNT concurrent runs keeps, and the number
// of timers left after all are cancelled.

import { sides, tasks } from "./sides.mjs";

const [task, argument] = process.argv.slice(2);
/** Milliseconds. */
const [warmUp, measured, sample] = [2000, 10_000, 40];

const measures = { runs: () => heldByRuns(Number(argument)), lengths: timesByLength };
console.log(JSON.stringify(await (measures[task] ?? (() => timesOfTurn(tasks[task], argument)))()));

/** Only two sides, because the memory of one slows the garbage collection of all. */
async function timesOfTurn(task, other) {
  const [own] = Object.keys(sides);
  const runs = [own, other].map(async (name) => ({ name, run: await sides[name](task), turns: task.turns }));
  return mediansOf(await Promise.all(runs), 1);
}

async function timesByLength() {
  const [own] = Object.values(sides);
  const runs = Object.entries(tasks).map(async ([name, task]) => ({ name, run: await own(task), turns: task.turns }));
  return mediansOf(await Promise.all(runs), 0);
}

/**
 * Medians of each run: of its time per turn, and of its ratio to one of the others at about the same time, because other load slows
 * both.
 */
async function mediansOf(given, reference) {
  const runs = given.map((each) => ({ ...each, times: [] }));
  const round = async () => {
    for (const { run, turns, times } of runs) times.push(await timeOf(run, turns));
  };
  for (const end = performance.now() + warmUp; performance.now() < end; ) await round();
  for (const { times } of runs) times.length = 0;
  for (const end = performance.now() + measured; performance.now() < end || runs[0].times.length < 5; ) await round();
  const { times: other } = runs[reference];
  const shares = (times) => median(times.map((time, index) => time / other[index]));
  return Object.fromEntries(runs.map(({ name, times }) => [name, { time: median(times) * 1e6, share: shares(times) }]));
}

/** The CPU time of a turn in milliseconds, with that of garbage collection: other programs do not count. */
async function timeOf(run, turns) {
  const start = performance.now();
  const before = process.cpuUsage();
  for (let count = 1; ; count++) {
    const taken = await run();
    if (taken !== turns) throw new Error(`${taken} turns, expected ${turns}`);
    if (performance.now() - start < sample) continue;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / turns / count;
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
