// The order of the functions in a wasm file, by what gzip makes of it.
//
// gzip finds repeated bytes no further back than 32 kB, so functions with the same sequences of bytes stand close together. Binaryen has
// an order by name: functions get numbers as names.

import { bodiesIn, CODE, CUSTOM, HEADER, leb128, sectionsIn } from "../lib/wasm-format.mjs";

/** The length of the sequences, in bytes. Shorter ones are found everywhere, longer ones in few functions. */
const LENGTH = 6;
/** Sequences are found within this number of bytes. */
const WINDOW = 30_000;
const FUNCTION_NAMES = 1;

/** The same wasm, with names by which functions are to be sorted. */
export function namedInOrder(wasm) {
  const sections = sectionsIn(wasm);
  const bodies = bodiesIn(sections.find(({ id }) => id === CODE).content).map(({ whole }) => whole);
  const names = new Array(bodies.length);
  for (const [place, index] of similarOnesTogether(bodies).entries()) names[index] = String(place).padStart(6, "0");
  const kept = sections.filter(({ id }) => id !== CUSTOM).map(({ whole }) => whole);
  return Buffer.concat([wasm.subarray(0, HEADER), ...kept, nameSection(names, importedFunctions(wasm))]);
}

function importedFunctions(wasm) {
  return WebAssembly.Module.imports(new WebAssembly.Module(wasm)).filter(({ kind }) => kind === "function").length;
}

function nameSection(names, imported) {
  const text = (name) => Buffer.concat([leb128(name.length), Buffer.from(name)]);
  const map = names.flatMap((name, index) => [leb128(imported + index), text(name)]);
  const functions = Buffer.concat([leb128(names.length), ...map]);
  const content = Buffer.concat([text("name"), Uint8Array.of(FUNCTION_NAMES), leb128(functions.length), functions]);
  return Buffer.concat([Uint8Array.of(CUSTOM), leb128(content.length), content]);
}

/** The indexes of the functions: after each one comes that of which the largest part was in the functions before it. */
export function similarOnesTogether(bodies) {
  const sequences = bodies.map(sequencesOf);
  const known = new Known(sequences);
  const left = new Set(bodies.keys());
  const order = [];
  let [oldest, size] = [0, 0];
  for (let next = left.size > 0 ? 0 : undefined; next !== undefined; next = known.mostKnown(left)) {
    order.push(next);
    left.delete(next);
    known.add(next);
    size += bodies[next].length;
    for (; size > WINDOW; oldest++) {
      known.remove(order[oldest]);
      size -= bodies[order[oldest]].length;
    }
  }
  return order;
}

function sequencesOf(body) {
  const found = new Set();
  for (let at = 0; at + LENGTH <= body.length; at++) {
    let hash = 0;
    for (let index = at; index < at + LENGTH; index++) hash = Math.imul(hash, 0x01000193) ^ body[index];
    found.add(hash);
  }
  return found;
}

/** The sequences within the window, and how many of them each function has. */
class Known {
  #sequences;
  #count = new Map();
  #holders = new Map();
  #hits;

  constructor(sequences) {
    this.#sequences = sequences;
    this.#hits = sequences.map(() => 0);
    for (const [index, found] of sequences.entries()) {
      for (const sequence of found) {
        const holders = this.#holders.get(sequence);
        if (holders) holders.push(index);
        else this.#holders.set(sequence, [index]);
      }
    }
  }

  add(index) {
    for (const sequence of this.#sequences[index]) {
      const count = this.#count.get(sequence) ?? 0;
      if (count === 0) this.#found(sequence, 1);
      this.#count.set(sequence, count + 1);
    }
  }

  remove(index) {
    for (const sequence of this.#sequences[index]) {
      const count = this.#count.get(sequence) - 1;
      if (count === 0) this.#found(sequence, -1);
      this.#count.set(sequence, count);
    }
  }

  #found(sequence, change) {
    for (const holder of this.#holders.get(sequence)) this.#hits[holder] += change;
  }

  mostKnown(left) {
    let [best, most] = [undefined, -1];
    for (const index of left) {
      // added, so that a function of few sequences is not the next one by chance
      const part = (this.#hits[index] + 0.5) / (this.#sequences[index].size + 4);
      if (part > most) [best, most] = [index, part];
    }
    return best;
  }
}
