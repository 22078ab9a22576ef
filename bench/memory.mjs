// Memory over many conversions is constant, and at most a few times the size of the largest body.

import { largeBodies } from "./payloads.mjs";
import { runScript, scriptBeside } from "./processes.mjs";
import { aim, MB } from "./tables.mjs";

const worker = scriptBeside(import.meta.url, "memory-worker.mjs");
const mostTimes = 4;
/** A difference of one or two pages of wasm between early and late is acceptable. */
const mostGrowth = 0.128e6;
const measuredShapes = ["bytes", "string"];
const counts = { short: 1000, thorough: 10_000 };

export function measureMemory({ nodes, thorough }) {
  const count = thorough ? counts.thorough : counts.short;
  const [node] = nodes;
  const rows = [];
  for (const name of Object.keys(largeBodies)) {
    for (const shape of measuredShapes) {
      const { size, measured } = runScript(node.program, worker, [shape, name, String(count)], ["--expose-gc"]);
      const [early, late] = measured;
      const times = late.wasm / size;
      const holds = times <= mostTimes && late.wasm - early.wasm <= mostGrowth;
      const figures = [early.wasm, late.wasm, early.process, late.process].map(MB);
      rows.push([`${name}, ${shape}`, MB(size), ...figures, times.toFixed(1), ...aim(`flat, ≤ ${mostTimes} ×`, holds)]);
    }
  }
  const [first, last] = [count / 10, count].map((number) => number.toLocaleString("en"));
  const columns = ["", "body", `wasm, ${first}`, last, `process, ${first}`, last, "wasm ÷ body", "target", ""];
  const table = { title: `${last} conversions in one process, ${node.name}`, columns, rows };
  return [{ title: "Memory", text, tables: [table], plots: [] }];
}

const text = [
  "What the wasm and the whole process have after a tenth of the conversions, and after all of them (collected first).",
];
