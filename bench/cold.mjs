// Cold starts of many fresh processes: measured from inside, and as whole processes, compared with one that does nothing.

import { coldParts } from "./cold-parts.mjs";
import { installed } from "./installs.mjs";
import { median } from "./numbers.mjs";
import { peers } from "./peers/sides.mjs";
import { runScript, scriptBeside } from "./processes.mjs";
import { atMost, noAim } from "./tables.mjs";

const worker = scriptBeside(import.meta.url, "cold-worker.mjs");
const starts = 21;
const most = 6;
const sides = ["ours", ...Object.keys(peers)];

export async function measureColdStart({ nodes }) {
  const folder = await installed("peers");
  const tables = nodes.map((node) => {
    const measured = Object.fromEntries(sides.map((side) => [side, startsOf(node, side, folder)]));
    const [[, first]] = Object.entries(measured);
    const rows = Object.keys(first).map((step) => {
      const aims = step === "all of it" ? atMost(first[step], most, (limit) => `${limit} ms`) : noAim;
      return [step, ...sides.map((side) => measured[side][step].toFixed(2)), ...aims];
    });
    return { title: `milliseconds, ${node.name}`, columns: ["", ...sides, "target (ours)", ""], rows };
  });
  return [{ title: "Cold start", text, tables: [...tables, coldParts(nodes)], plots: [] }];
}

const text = [
  `Medians of ${starts} fresh processes. Import, compilation, instantiation and the first conversion (of 83 bytes) are measured from inside. The`,
  "whole process is measured from outside, in pairs with one that does nothing, whose time is taken off. Step by step: V8 validates all",
  "functions before the first one runs, and compiles each when it is first called; the latter is the difference to a start that compiles all",
  "of them beforehand. What is V8's alone is its time for code of this size, whatever the code does.",
];

/** Medians by step. */
function startsOf(node, side, folder) {
  const runs = Array.from({ length: starts }, () => {
    const bare = wholeProcess(node, "bare", folder);
    const { milliseconds, steps } = wholeProcess(node, side, folder);
    return { ...steps, "whole process, less a bare one": milliseconds - bare.milliseconds };
  });
  return Object.fromEntries(Object.keys(runs[0]).map((step) => [step, median(runs.map((run) => run[step]))]));
}

function wholeProcess(node, side, folder) {
  const start = performance.now();
  const steps = runScript(node.program, worker, [side, folder]);
  return { milliseconds: performance.now() - start, steps };
}
