// Memory over many conversions of a large body, alone in this process: node --expose-gc memory-worker.mjs SHAPE PAYLOAD COUNT
// Prints the bytes of the body, and the memory of the wasm and of the whole process early and late.

import { largeBodies } from "./payloads.mjs";
import { shapes } from "./sides.mjs";
import { wasmBytes } from "./wasm-memory.mjs";

const [shape, name, count] = process.argv.slice(2);
const { make, from, to } = largeBodies[name];
const { convertRequest } = await import("../pkg/dist/index.js");
const value = make();
const input = shapes[shape].make(value);
const early = Math.ceil(Number(count) / 10);
const measured = [];
for (let done = 1; done <= Number(count); done++) {
  convertRequest(input, { from, to });
  if (done === early || done === Number(count)) {
    global.gc();
    measured.push({ wasm: wasmBytes(), process: process.memoryUsage.rss() });
  }
}
process.stdout.write(JSON.stringify({ size: Buffer.byteLength(JSON.stringify(value)), measured }));
