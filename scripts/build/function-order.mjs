// Orders the functions of a wasm file so that gzip compresses it better.
//
// gzip finds repeated bytes at most 32 kB back, so functions with common byte sequences are placed close together. Binaryen can sort
// functions by name, so each function gets its number as its name.

import { bodiesIn, CODE, CUSTOM, HEADER, leb128, sectionsIn } from "../lib/wasm-format.mjs";

/** The length of the sequences, in bytes. Shorter ones occur everywhere, longer ones in few functions. */
const LENGTH = 6;
/** The number of preceding bytes in which a sequence is found, slightly less than gzip's window. */
const WINDOW = 30_000;
const FUNCTION_NAMES = 1;

/** The same wasm, with a name for each function that determines its position. */
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

/** The indexes of the functions in order: each function is followed by the one that has the largest part in common with those before. */
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

/** The sequences within the window, and the number of them in each function. */
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
      // the constants keep functions with few sequences from being chosen by chance
      const part = (this.#hits[index] + 0.5) / (this.#sequences[index].size + 4);
      if (part > most) [best, most] = [index, part];
    }
    return best;
  }
}
