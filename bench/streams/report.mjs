// Streams: the package against JavaScript written by hand, and memory over a long one.

import { bars } from "../plots/bars.mjs";
import { demandSame, measure, runScript, scriptBeside } from "../processes.mjs";
import { aim, atMost, MB, micros, noAim } from "../tables.mjs";
import { eventsOf, languages, piecesOf, reads } from "./responses.mjs";
import { outcomeOf, pairs, sideOf } from "./sides.mjs";

/** The target as a ratio to the time by hand. */
export const mostOfStreams = 0.2;
const worker = scriptBeside(import.meta.url, "worker.mjs");
const memory = scriptBeside(import.meta.url, "memory.mjs");

/** The pairs to measure. Throws unless both sides give the same events for every stream, in every way of reading. */
function checkSameStreams(toolwire) {
  const there = Object.keys(pairs).filter((pair) => isThere(toolwire, pair));
  for (const pair of there) {
    const { from } = pairs[pair];
    for (const language of languages) {
      for (const [name, size] of Object.entries(reads)) {
        const pieces = piecesOf(eventsOf(from, language), size);
        const [mine, theirs] = ["ours", "hand"].map((side) => outcomeOf(sideOf(side, pair, toolwire), pieces));
        demandSame(`${pair}, ${language}, ${name} at a time`, mine, theirs);
      }
    }
  }
  return there;
}

function isThere(toolwire, pair) {
  try {
    sideOf("ours", pair, toolwire)().free();
    return true;
  } catch (error) {
    if (error.code !== "unsupported") throw error;
    console.log(`  ${pair}: not there (${error.message})`);
    return false;
  }
}

const [firstLanguage] = languages;
const [firstRead] = Object.keys(reads);

/** To limit the time, either the language or the way of reading varies, while the other one stays fixed. */
export const readings = [
  ...Object.keys(reads).map((read) => [firstLanguage, read]),
  ...languages.slice(1).map((language) => [language, firstRead]),
];

export function measureStreams({ nodes, rounds, toolwire }) {
  const there = checkSameStreams(toolwire);
  const groups = there.map((label) => ({ label, values: [] }));
  const tables = nodes.flatMap((node) =>
    there.map((pair, index) => {
      const { to } = pairs[pair];
      const rows = readings.map(([language, read]) => {
        const { size, mine, theirs } = compareStreams(node, pair, language, read, rounds);
        const ratio = mine / theirs;
        if (language === firstLanguage && read === firstRead) groups[index].values.push(ratio);
        const speed = ((size / mine) * 1000).toFixed(0);
        // Both sides create objects in JavaScript, so events as objects have no target.
        const aims = to === undefined ? noAim : atMost(ratio, mostOfStreams);
        return [`${language}, ${read} a read`, micros(theirs), micros(mine), speed, ratio.toFixed(2), ...aims];
      });
      const columns = ["each event", "by hand, µs", "ours, µs", "ours, MB/s", "ratio", "target", ""];
      return { title: `${pair}, ${node.name}`, columns, rows };
    }),
  );
  const title = "Streams, an event a read: our time ÷ that of JavaScript by hand";
  const svg = bars({ title, series: nodes.map(({ name }) => name), groups });
  return [
    { title: "Streams", text, tables, plots: [{ file: "streams.svg", alt: title, svg }] },
    measureMemory(nodes[0], there),
  ];
}

/** The size of an event in bytes, and the nanoseconds of both sides for it. */
export function compareStreams(node, pair, language, read, rounds) {
  const events = eventsOf(pairs[pair].from, language);
  const { ours, hand } = measure(node.program, worker, ["ours", "hand"], [pair, language, read], rounds);
  const size = events.reduce((sum, event) => sum + event.length, 0);
  return { size: size / events.length, mine: ours / events.length, theirs: hand / events.length };
}

/** The nanoseconds for an event of the copies that every converter in wasm needs. */
export function copiesOfStream(node, pair, language, read) {
  const { copies } = measure(node.program, worker, ["copies"], [pair, language, read], 1);
  return copies / eventsOf(pairs[pair].from, language).length;
}

const text = [
  "Bytes → bytes, and bytes → events as objects, for a response of 300 deltas of text and two calls in 40 fragments each.",
];

/** The maximum growth of the wasm's memory between 10 MB and 100 MB of a stream: one or two pages. */
const mostGrowth = 0.128;

function measureMemory(node, there) {
  const rows = there
    .filter((name) => pairs[name].to !== undefined)
    .map((pair) => {
      const [early, late] = runScript(node.program, memory, [pair], ["--expose-gc"]);
      const columns = [early.wasm, late.wasm, early.process, late.process].map(MB);
      return [pair, ...columns, ...aim(`+${mostGrowth * 1000} kB`, late.wasm - early.wasm <= mostGrowth * 1e6)];
    });
  const columns = ["", "wasm, 10 MB", "100 MB", "process, 10 MB", "100 MB", "target", ""];
  const table = { title: `memory while one stream goes by, ${node.name}`, columns, rows };
  return {
    title: "Memory of streams",
    text: ["Only what is needed of a stream is kept."],
    tables: [table],
    plots: [],
  };
}
