// Memory over many conversions of a large body, alone in this process: node --expose-gc memory-worker.mjs SHAPE PAYLOAD COUNT
// Prints the bytes of the body, and what the wasm and the whole process have early and late.

import { largeBodies } from "./payloads.mjs";
import { shapes } from "./sides.mjs";

// The package keeps its instance to itself.
let wasm;
const Instance = WebAssembly.Instance;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    wasm = this.exports.memory;
  }
};

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
    measured.push({ wasm: wasm.buffer.byteLength, process: process.memoryUsage.rss() });
  }
}
process.stdout.write(JSON.stringify({ size: Buffer.byteLength(JSON.stringify(value)), measured }));
