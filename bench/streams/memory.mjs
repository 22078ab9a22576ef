// Memory while one stream of 100 MB is converted, which is generated piece by piece: node --expose-gc memory.mjs PAIR
// Prints the memory of the wasm and of the whole process at 10 MB and at 100 MB.

import { wasmBytes } from "../wasm-memory.mjs";
import { eventsOf } from "./responses.mjs";
import { pairs, sideOf } from "./sides.mjs";

const [pair] = process.argv.slice(2);
const events = eventsOf(pairs[pair].from, "english");
const beginning = pairs[pair].from === "anthropic" ? 3 : 1;
// The text is repeated; the events before and after it occur once.
const before = Buffer.concat(events.slice(0, beginning));
const text = Buffer.concat(events.slice(beginning, beginning + 300));
const after = Buffer.concat(events.slice(beginning + 300));

const converter = sideOf("ours", pair, await import("../../pkg/dist/index.js"))();
const measured = [];
converter.push(before);
let taken = 0;
for (const length of [10e6, 100e6]) {
  for (; taken < length; taken += text.length) converter.push(text);
  global.gc();
  measured.push({ wasm: wasmBytes(), process: process.memoryUsage.rss() });
}
converter.push(after);
converter.finish();
process.stdout.write(JSON.stringify(measured));
