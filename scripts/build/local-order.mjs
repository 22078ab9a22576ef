// The numbers of the locals in each function, by what gzip makes of them.
//
// Which local has which number means nothing to an engine, except that those of a type stand together. Code that does the same with
// other numbers is no repetition to gzip, so locals of a type exchange their numbers wherever that makes a function shorter after those
// before it.

import { constants, deflateRawSync } from "node:zlib";
import { bodiesIn, CODE, FUNCTIONS, HEADER, leb128, numberAt, sectionsIn, TYPES } from "../lib/wasm-format.mjs";
import { localsIn } from "../lib/wasm-instructions.mjs";

/** gzip finds repetitions within this number of bytes. */
const WINDOW = 32_000;
/** The locals that are used most have the lowest numbers, so exchanging more of them gains little. */
const EXCHANGED = 40;
const ROUNDS = 2;

/** The same wasm, with other numbers for its locals. */
export function withLocalsInOrder(wasm) {
  const sections = sectionsIn(wasm);
  const parameters = parameterCounts(sections);
  const code = sections.find(({ id }) => id === CODE);
  let before = Buffer.alloc(0);
  const bodies = bodiesIn(code.content).map(({ whole, size }, index) => {
    const body = shortest(functionIn(whole.subarray(whole.length - size), parameters[index]), before);
    before = Buffer.concat([before, body]).subarray(-WINDOW);
    return Buffer.concat([leb128(body.length), body]);
  });
  const content = Buffer.concat([leb128(bodies.length), ...bodies]);
  const section = Buffer.concat([Uint8Array.of(CODE), leb128(content.length), content]);
  const all = sections.map((other) => (other === code ? section : other.whole));
  return Buffer.concat([wasm.subarray(0, HEADER), ...all]);
}

/** Of each function with a body. */
function parameterCounts(sections) {
  const contentOf = (wanted) => sections.find(({ id }) => id === wanted).content;
  const types = listIn(contentOf(TYPES), (bytes, at) => {
    const { value, next } = numberAt(bytes, at + 1); // after the byte that says that it is a function
    const results = numberAt(bytes, next + value);
    return { value, next: results.next + results.value };
  });
  return listIn(contentOf(FUNCTIONS), numberAt).map((type) => types[type]);
}

function listIn(bytes, itemAt) {
  const values = [];
  let { value: left, next: at } = numberAt(bytes, 0);
  for (; left > 0; left--) {
    const { value, next } = itemAt(bytes, at);
    values.push(value);
    at = next;
  }
  return values;
}

/**
 * - `parts`: what stands before, between and after the numbers of locals;
 * - `locals`: those numbers;
 * - `types`: of each local, those of parameters being undefined.
 */
function functionIn(bytes, parameters) {
  const types = new Array(parameters).fill(undefined);
  let { value: groups, next: at } = numberAt(bytes, 0);
  for (; groups > 0; groups--) {
    const { value, next } = numberAt(bytes, at);
    for (let count = 0; count < value; count++) types.push(bytes[next]);
    at = next + 1;
  }
  const found = localsIn(bytes, at);
  const starts = [0, ...found.map(({ end }) => end)];
  const parts = starts.map((start, index) => bytes.subarray(start, found[index]?.start));
  return { parts, locals: found.map(({ local }) => local), types, parameters };
}

/** The function with the numbers that make it shortest after what is before it. */
function shortest({ parts, locals, types, parameters }, before) {
  const numbers = types.map((_, local) => local);
  let best = { body: written(parts, locals, numbers) };
  best.length = lengthAfter(before, best.body);
  const exchanged = exchangeable(types, parameters);
  for (let round = 0, last; round < ROUNDS && best.length !== last; round++) {
    last = best.length;
    for (const pair of exchanged) {
      exchange(numbers, pair);
      const body = written(parts, locals, numbers);
      const length = lengthAfter(before, body);
      if (length < best.length) best = { body, length };
      else exchange(numbers, pair);
    }
  }
  return best.body;
}

/** Pairs of locals that have the same type. */
function exchangeable(types, parameters) {
  const pairs = [];
  const end = Math.min(types.length, parameters + EXCHANGED);
  for (let one = parameters; one < end; one++)
    for (let other = one + 1; other < end; other++) if (types[one] === types[other]) pairs.push([one, other]);
  return pairs;
}

function exchange(numbers, [one, other]) {
  [numbers[one], numbers[other]] = [numbers[other], numbers[one]];
}

function written(parts, locals, numbers) {
  const withNumber = (part, index) => (index < locals.length ? [part, leb128(numbers[locals[index]])] : [part]);
  return Buffer.concat(parts.flatMap(withNumber));
}

/** With the same code for every function: what deflate would choose for one differs from what it chooses for all. */
function lengthAfter(before, body) {
  const dictionary = before.length > 0 ? before : undefined;
  return deflateRawSync(body, { level: 9, memLevel: 9, strategy: constants.Z_FIXED, dictionary }).length;
}
