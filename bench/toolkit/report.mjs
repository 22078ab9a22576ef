// `npm run bench -- toolkit`: checks and repairs against those of other libraries, and the cost of running calls.

import { loadavg } from "node:os";
import { measure, scriptBeside } from "../processes.mjs";
import { atMost, micros, noAim } from "../tables.mjs";
import { tasks } from "./sides.mjs";

const worker = scriptBeside(import.meta.url, "worker.mjs");
/** The maximum nanoseconds of a check. A repair must not take longer than its peer. */
const slowestCheck = 10_000;

export async function measureToolkit({ nodes: [node], rounds }) {
  const [before] = loadavg();
  const rows = Object.entries(tasks).flatMap(([task, sides]) => {
    const times = measure(node.program, worker, Object.keys(sides), [task], rounds);
    return Object.keys(sides).map((side, index) => rowOf(task, side, index, times));
  });
  const text = [
    "One call is checked against a schema with three parameters, text that is almost JSON is repaired and parsed, and calls of a tool that returns",
    `at once are run. Other programs ran on the machine (load average ${before.toFixed(1)}), so compare ratios, not times.`,
  ];
  const columns = ["", "side", "µs", "ours ÷ this", "target", ""];
  return [{ title: "Toolkit", text, tables: [{ title: `time of one run, ${node.name}`, columns, rows }], plots: [] }];
}

function rowOf(task, side, index, times) {
  const [ours, theirs] = Object.values(times);
  const ratio = index === 0 ? "" : (ours / times[side]).toFixed(2);
  return [task, side, micros(times[side]), ratio, ...(index === 0 ? aimOf(task, ours, theirs) : noAim)];
}

function aimOf(task, ours, theirs) {
  if (task.startsWith("check")) return atMost(ours, slowestCheck, micros);
  return theirs === undefined ? noAim : atMost(ours, theirs, micros);
}
