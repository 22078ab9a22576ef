// `npm run bench -- toolkit`: checks and repairs beside those of other libraries, and what running calls costs.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { atMost, micros, noAim } from "../tables.mjs";
import { tasks } from "./sides.mjs";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
/** In nanoseconds: for a check; elsewhere what the peer takes is the limit. */
const slowestCheck = 10_000;

export async function measureToolkit({ rounds }) {
  const rows = Object.entries(tasks).flatMap(([task, sides]) => rowsOf(task, Object.keys(sides), rounds));
  const columns = ["", "side", "µs", "target", ""];
  return [{ title: "Toolkit", text: [], tables: [{ title: "time of one run", columns, rows }], plots: [] }];
}

function rowsOf(task, sides, rounds) {
  const times = sides.map((side) => Math.min(...Array.from({ length: rounds }, () => measured(task, side))));
  return sides.map((side, index) => [task, side, micros(times[index]), ...aimOf(task, index, times)]);
}

function aimOf(task, index, times) {
  if (index > 0) return noAim;
  if (task.startsWith("check")) return atMost(times[0], slowestCheck, micros);
  return times.length > 1 ? atMost(times[0], times[1], micros) : noAim;
}

function measured(task, side) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [worker, task, side], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${task}, ${side}: ${stderr}`);
  return Number(stdout);
}
