// What our time is spent on, stage by stage, each as a ratio to the whole time of JavaScript by hand: which stage alone takes longer
// than a target allows for all of them.

import { join } from "node:path";
import { root } from "../scripts/lib/run.mjs";
import { atMostBytes, compare } from "./compare.mjs";
import { buildNamedWasm, namedWasm } from "./named-wasm.mjs";
import { readable } from "./owners.mjs";
import { payloads } from "./payloads.mjs";
import { runScript, scriptBeside } from "./processes.mjs";

const profiler = scriptBeside(import.meta.url, "profile-worker.mjs");

/** Whose function it is, told by its name: the first that fits. What has no path is JavaScript, or the engine's own. */
const stages = [
  ["boundary", (name) => !name.includes("::") || /\b(?:wasm_bindgen|toolwire::(?:bindings|value::js))\b/.test(name)],
  ["allocation", (name) => /\b(?:dlmalloc|raw_vec|drop_in_place|__rustc)\b/.test(name)],
  [
    "JSON text",
    (name) => /\b(?:value::text::(?:index|escape|scan|number|compare)|simdutf8|memchr|core::str)\b/.test(name),
  ],
  ["members", (name) => /\btoolwire::(?:value|run)\b/.test(name)],
  ["conversion", () => true],
];

const text = [
  "Bytes → bytes: where our time goes, by V8's profiler, in parts of what JavaScript by hand takes for all. *Boundary* is what crosses into",
  "wasm and back, with garbage collection; *JSON text* is reading, validating, unescaping and escaping; *members* is looking values up and",
  "putting them in order; *conversion* is the rest. A function that was inlined counts with the one that it was inlined into.",
];

export async function measureShares({ nodes }) {
  await buildNamedWasm();
  const columns = ["payload", ...stages.map(([name]) => name), "all", "target"];
  const tables = nodes.map((node) => {
    const rows = Object.entries(payloads).map(([name, payload]) => {
      const { mine, theirs } = compare(node, "bytes", name, payload, 1);
      const shares = sharesOf(runScript(node.program, profiler, ["bytes", name, join(root, namedWasm)]));
      const ratios = [...shares, 1].map((share) => ((share * mine) / theirs).toFixed(2));
      return [name, ...ratios, `≤ ${atMostBytes[node.column].toFixed(2)}`];
    });
    return { title: `our time by stage ÷ the whole time by hand, ${node.name}`, columns, rows };
  });
  return [{ title: "Where the time goes", text, tables, plots: [] }];
}

/** The part of the time that each stage takes, in their order. */
function sharesOf(functions) {
  const sums = stages.map(() => 0);
  for (const [name, share] of functions) sums[stages.findIndex(([, owns]) => owns(readable(name)))] += share;
  return sums;
}
