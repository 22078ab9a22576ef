// Streams: ours against JavaScript written by hand, and memory over a long one.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { print, verdict } from "../print.mjs";
import { demandSame, measure } from "../rounds.mjs";
import { eventsOf, languages, piecesOf, reads } from "./answers.mjs";
import { outcomeOf, pairs, sideOf } from "./sides.mjs";

const rounds = 3;
const most = 0.2;
const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
const memory = fileURLToPath(new URL("memory.mjs", import.meta.url));

/** The pairs that the package has. Throws unless both sides give the same events for every stream, however it is read. */
export function checkSameStreams(toolwire) {
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

export function reportStreams(there) {
  for (const pair of there) {
    const { from, to } = pairs[pair];
    print([pair, "a read", "by hand, µs", "ours, µs", "ours, MB/s", "ratio", "target", ""]);
    for (const language of languages) {
      const events = eventsOf(from, language);
      const size = events.reduce((sum, event) => sum + event.length, 0);
      for (const read of Object.keys(reads)) {
        const { mine, theirs } = measure(worker, [pair, language, read], rounds);
        const micros = (nanoseconds) => (nanoseconds / 1000 / events.length).toFixed(2);
        const ratio = mine / theirs;
        const speed = ((size / mine) * 1000).toFixed(0);
        // Objects are made by JavaScript on both sides: events have no target.
        const aim = to === undefined ? ["", ""] : [`≤ ${most.toFixed(2)}`, verdict(ratio <= most)];
        print([`${language}, per event`, read, micros(theirs), micros(mine), speed, ratio.toFixed(2), ...aim]);
      }
    }
    console.log();
  }
}

/** How much more memory the wasm may take at 100 MB of a stream than at 10 MB: nothing, but for a page or two. */
const mostGrowth = 0.128;

export function reportStreamMemory(there) {
  print(["memory of a stream", "wasm, 10 MB", "100 MB", "process, 10 MB", "100 MB", "target", ""]);
  for (const pair of there.filter((name) => pairs[name].to !== undefined)) {
    const [early, late] = JSON.parse(
      execFileSync(process.execPath, ["--expose-gc", memory, pair], { encoding: "utf8" }),
    );
    const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
    const holds = late.wasm - early.wasm <= mostGrowth * 1e6;
    const columns = [early.wasm, late.wasm, early.process, late.process].map(megabytes);
    print([pair, ...columns, `+${mostGrowth * 1000} kB`, verdict(holds)]);
  }
}
