// The time of each stage of the package, as a ratio to the whole time of JavaScript by hand: shows whether one stage alone takes longer
// than a target allows for all of them.

import { join } from "node:path";
import { root } from "../scripts/lib/run.mjs";
import { compare, mostOf } from "./compare.mjs";
import { buildNamedWasm, namedWasm } from "./named-wasm.mjs";
import { buildNative, nativeStreamTime, nativeTime } from "./native.mjs";
import { readable } from "./owners.mjs";
import { payloads } from "./payloads.mjs";
import { runScript, scriptBeside } from "./processes.mjs";
import { compareStreams, copiesOfStream, mostOfStreams, readings } from "./streams/report.mjs";
import { eventsOf, piecesOf, reads } from "./streams/responses.mjs";
import { pairs } from "./streams/sides.mjs";

const profiler = scriptBeside(import.meta.url, "profile-worker.mjs");

/** Attributes a function to a stage by its name: the first match counts. Functions without a path are JavaScript or the engine's own. */
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

const machineCodeColumn = "machine code";

const text = [
  "Where our time goes, by V8's profiler, in parts of what JavaScript by hand takes for all.",
  "*Boundary* is what crosses into wasm and back, with garbage",
  "collection; *JSON text* is reading, validating, unescaping and escaping; *members* is looking values up and putting them in order;",
  "*conversion* is the rest. A function that was inlined counts with the one that it was inlined into. *Machine code* is the same conversion",
  "from bytes to bytes, compiled for this processor instead of wasm, and what goes in and out as well: the boundary, or for streams what every",
  "converter in wasm does at least, which is to copy pieces in and out.",
  "",
  "Compared with commit a2f87de (Node 20, both versions in turn in one process, in both orders, the mean of the ratios of least times), the",
  "small request takes 0.99 of the time, the small response 1.00, the agent's request 0.93 to 0.96, its response 0.97 to 0.98, and streams",
  "0.95 to 1.00. The one that is loaded first is up to 2 % slower.",
];

export async function measureShares({ nodes }) {
  await buildNamedWasm();
  buildNative();
  const native = Object.fromEntries(Object.entries(payloads).map(([name, payload]) => [name, nativeTime(payload)]));
  const tables = nodes.flatMap((node) => [
    tableOf(node, "bytes → bytes", bodiesOf(node, "bytes", native)),
    tableOf(node, "string → string", bodiesOf(node, "string", native)),
    tableOf(node, "object → object", bodiesOf(node, "object")),
    tableOf(node, "streams, bytes → bytes", streamsOf(node)),
  ]);
  return [{ title: "Where the time goes", text, tables, plots: [] }];
}

function bodiesOf(node, shape, native = {}) {
  return Object.entries(payloads).map(([name, payload]) => {
    const measured = compare(node, shape, name, payload, 1);
    const most = mostOf(shape, payload, measured, node);
    return { name, ...measured, machineCode: native[name], most, profiled: [shape, name] };
  });
}

/** Streams, except to events as objects, which have no target. */
function streamsOf(node) {
  const all = Object.entries(pairs).filter(([, { to }]) => to !== undefined);
  return all.flatMap(([name, pair]) =>
    readings.map(([language, read]) => {
      const measured = compareStreams(node, name, language, read, 1);
      const copies = copiesOfStream(node, name, language, read);
      const events = eventsOf(pair.from, language);
      const machineCode = nativeStreamTime(pair, piecesOf(events, reads[read])) / events.length;
      const profiled = ["stream", name, language, read];
      return {
        name: `${name}, ${language}, ${read} a read`,
        ...measured,
        machineCode,
        copies,
        most: mostOfStreams,
        profiled,
      };
    }),
  );
}

function tableOf(node, title, measured) {
  const hasMachineCode = measured[0].machineCode !== undefined;
  const rows = measured.map(({ name, mine, theirs, machineCode, copies, most, profiled }) => {
    const shares = sharesOf(runScript(node.program, profiler, [join(root, namedWasm), ...profiled]));
    const ratios = shares.map((share) => (share * mine) / theirs);
    const [boundary] = ratios;
    const wholes = [mine / theirs];
    if (hasMachineCode) wholes.push(machineCode / theirs + (copies === undefined ? boundary : copies / theirs));
    const alone = stages.filter((_, index) => ratios[index] > most).map(([stage]) => stage);
    if (wholes[1] > most) alone.push(machineCodeColumn);
    const shown = [...ratios, ...wholes].map((ratio) => ratio.toFixed(2));
    return [name, ...shown, most === undefined ? "" : `≤ ${most.toFixed(2)}`, alone.join(", ")];
  });
  const wholes = ["all", ...(hasMachineCode ? [machineCodeColumn] : [])];
  const columns = ["", ...stages.map(([stage]) => stage), ...wholes, "target", "over it alone"];
  return { title: `our time by stage ÷ the whole time by hand: ${title}, ${node.name}`, columns, rows };
}

/** The share of each stage in the time, in the order of the stages. */
function sharesOf(functions) {
  const sums = stages.map(() => 0);
  for (const [name, share] of functions) sums[stages.findIndex(([, owns]) => owns(readable(name)))] += share;
  return sums;
}
