// `npm run bench -- agent`: the time of a turn of the agent loop against other loops, and the memory of concurrent runs.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { aim, atMost, kB, micros, noAim } from "../tables.mjs";
import { sides, tasks } from "./sides.mjs";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
/** The maximum ratio to the time of the AI SDK, the faster of the other loops. */
const mostOfPeer = 0.3;
/** The maximum ratio of the time of a turn in a long run to one in a short run: equal, apart from noise. */
const mostOfShortRun = 1.2;
/** The maximum memory in bytes that a run leaves behind. */
const mostLeft = 500;
const concurrent = 1000;

export async function measureAgent() {
  const [own, ...others] = Object.keys(sides);
  const rows = Object.keys(tasks).flatMap((task) => rowsOf(task, timesOf(task, others), own));
  const constant = Object.entries(JSON.parse(measured("lengths"))).map(([task, { time, share }]) => [
    task,
    micros(time),
    share.toFixed(2),
    ...atMost(share, mostOfShortRun),
  ]);
  const tables = [
    { title: "time of one turn", columns: ["", "side", "µs", "share of the AI SDK's", "target", ""], rows },
    {
      title: "time of one turn beside that of a run of 5 turns",
      columns: ["", "µs", "times", "target", ""],
      rows: constant,
    },
    { title: `${concurrent} concurrent runs`, columns: ["", "", "target", ""], rows: rowsOfRuns() },
  ];
  const text = [
    "A scripted model responds at once, and each turn calls one tool. What is measured is the CPU time of the loop alone.",
  ];
  return [{ title: "Agent loop", text, tables, plots: [] }];
}

/** The times of all sides, by name, with their share of that of the first of `others`. */
function timesOf(task, others) {
  const [first, ...more] = others.map((other) => [other, JSON.parse(measured(task, other))]);
  const [name, times] = first;
  for (const [other, { [other]: taken }] of more)
    times[other] = { time: taken.time, share: taken.time / times[name].time };
  return times;
}

function rowsOf(task, taken, own) {
  return Object.entries(taken).map(([side, { time, share }]) => [
    task,
    side,
    micros(time),
    share.toFixed(2),
    ...(side === own ? atMost(share, mostOfPeer) : noAim),
  ]);
}

function rowsOfRuns() {
  const { each, growth, timers } = JSON.parse(measured("runs", String(concurrent)));
  return [
    ["held by a run that waits", kB(each), ...noAim],
    ["left by a run that was cancelled", kB(Math.max(growth, 0)), ...atMost(growth, mostLeft, kB)],
    ["timers left", String(timers), ...aim("0", timers === 0)],
  ];
}

function measured(task, side) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", worker, task, side], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${task}, ${side}: ${stderr}`);
  return stdout;
}
