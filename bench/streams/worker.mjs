// Times one side of one comparison, alone in this process: node worker.mjs ours|hand|copies PAIR LANGUAGE READS
// Prints the nanoseconds of one stream.

import { nanosecondsOf } from "../timing.mjs";
import { eventsOf, piecesOf, reads } from "./responses.mjs";
import { pairs, runStream, sideOf } from "./sides.mjs";

const [side, pair, language, size] = process.argv.slice(2);
const pieces = piecesOf(eventsOf(pairs[pair].from, language), reads[size]);
const toolwire = side === "hand" ? undefined : await import("../../pkg/dist/index.js");
const make = side === "copies" ? copiesOnly() : sideOf(side, pair, toolwire);
process.stdout.write(String(nanosecondsOf(() => runStream(make, pieces))));

/**
 * The copies that every converter in wasm needs: each piece is copied to its memory, and as many bytes as the package writes are returned
 * as an array. Copying a part of an existing buffer is the fastest way.
 */
function copiesOnly() {
  const converter = sideOf("ours", pair, toolwire)();
  const lengths = pieces.map((piece) => converter.push(piece).length);
  const memory = new Uint8Array(new WebAssembly.Memory({ initial: 64 }).buffer);
  const buffer = new Uint8Array(Math.max(...lengths));
  let index = 0;
  const push = (piece) => {
    memory.set(piece);
    const length = lengths[index++];
    const output = buffer.subarray(0, length);
    output.set(memory.subarray(0, length));
    return output;
  };
  return () => {
    index = 0;
    return { push, finish() {} };
  };
}
