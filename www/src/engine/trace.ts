// Where each value of an output came from, as pairs of places in the two texts that the page shows.

import type { Conversion } from "toolwire";
import { traceBody } from "toolwire/trace";
import { indented, tokens } from "../../../pkg-template/command/json-text.js";
import { play } from "./play.ts";
import type { Link, Place, Tasks } from "./protocol.ts";

/** In the order of the core's `How`. */
const hows = ["copied", "decoded", "joined", "encoded", "fitted", "made"] as const;

type Task = Tasks["trace"]["task"];

export function trace({ text, identity: { from, kind }, to, settings }: Task): Tasks["trace"]["result"] {
  const conversion = { ...settings, from, to } as Conversion;
  if (kind === "stream") return linksOfStream(text, conversion);
  // pieces are converted as a part of a body that the source does not contain
  if (kind !== "request" && kind !== "response" && kind !== "error") return { output: "", links: [], targets: [] };
  const bytes = new TextEncoder().encode(text);
  const { output, warnings, map, targets } = traceBody(bytes, kind, { ...conversion, bookkeeping: true });
  const inSource = indexOf(text, bytes.length);
  const inOutput = indexOf(output);
  const shown = indented(output) as string;
  const laidOut = moved(output, shown);
  const links: Link[] = [];
  for (let row = 0; row < map.length; row += 5) {
    const [start = 0, end = 0, first = 0, last = 0, how = 0] = map.subarray(row, row + 5);
    const whole = { from: inOutput(start), to: inOutput(end) };
    const origin = { from: inSource(first), to: inSource(last) };
    const name = hows[how] ?? "made";
    for (const [part, source] of parts(output, whole, text, origin, name)) {
      links.push({ output: laidOut(part), ...(source && { source }), how: name });
    }
  }
  const places = warnings.map(({ code, path }, index) => {
    const [start = 0, end = 0] = targets.subarray(2 * index, 2 * index + 2);
    return { code, path, ...(end > 0 && { output: laidOut({ from: inOutput(start), to: inOutput(end) }) }) };
  });
  return { output: shown, links, targets: places };
}

/** Each event of the source, and what the target is sent for it. What is held back is sent with a later event. */
function linksOfStream(text: string, conversion: Conversion): Tasks["trace"]["result"] {
  const links: Link[] = [];
  let output = "";
  let held: Place[] = [];
  for (const step of play(text, conversion).steps) {
    const place = { from: output.length, to: output.length + step.output.length };
    output += step.output;
    if (step.wire) held.push(step.wire);
    if (place.from === place.to) continue;
    if (held.length === 0) links.push({ output: place, how: "made" });
    for (const source of held) links.push({ output: place, source, how: "event" });
    held = [];
  }
  return { output, links, targets: [] };
}

/** The pairs of equal keys and values in two ranges, of which a copied object or array has many. */
function parts(output: string, to: Place, source: string, from: Place, how: Link["how"]): [Place, Place | undefined][] {
  if (how === "made") return [[to, undefined]];
  const whole: [Place, Place] = [to, from];
  if (how === "joined" || how === "fitted") return [whole];
  const [sent, given] = [output.slice(to.from, to.to), source.slice(from.from, from.to)];
  const [one, other] = [
    how === "encoded" ? decoded(sent.slice(1, -1)) : sent,
    how === "decoded" ? decoded(given) : given,
  ];
  const isContainer = (content: string | Decoded) =>
    /^\s*[[{]/.test(typeof content === "string" ? content : content.text);
  if (!isContainer(one) || !isContainer(other)) return [whole];
  const [outs, ins] = [placesIn(one, to.from + Number(how === "encoded")), placesIn(other, from.from)];
  if (outs.length !== ins.length || outs.length === 0) return [whole];
  return outs.map((place, index) => [place, ins[index]]);
}

/** The content of a string, and where each unit of it is in the JSON text. */
interface Decoded {
  text: string;
  at: number[];
}

function decoded(raw: string): Decoded {
  const at: number[] = [];
  let text = "";
  for (const { 0: unit, index } of raw.matchAll(/\\u[\da-fA-F]{4}|\\.|[^\\]/gs)) {
    text += unit.length === 1 ? unit : (JSON.parse(`"${unit}"`) as string);
    at.push(index);
    // two units that are one character of the pattern
    if (unit.length === 2 && unit[0] !== "\\") at.push(index + 1);
  }
  at.push(raw.length);
  return { text, at };
}

/** The places of the keys and values that are neither objects nor arrays. */
function placesIn(json: string | Decoded, start: number): Place[] {
  const { text, at } = typeof json === "string" ? { text: json, at: undefined } : json;
  const position = (index: number) => start + (at ? (at[index] ?? 0) : index);
  const found: Place[] = [];
  for (const [from, to] of tokens(text) as Iterable<[number, number]>) {
    if (!"{}[]:,".includes(text[from] ?? "")) found.push({ from: position(from), to: position(to) });
  }
  return found;
}

/** The index of a text's unit at a position in bytes. */
function indexOf(text: string, length = new TextEncoder().encode(text).length): (at: number) => number {
  if (length === text.length) return (at) => at;
  const indices = new Uint32Array(length + 1);
  let [at, index] = [0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    indices[at] = index;
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  indices[length] = index;
  return (position) => indices[position] ?? text.length;
}

/** Where a range of a JSON text is in the same JSON with other white space. */
function moved(before: string, after: string): (place: Place) => Place {
  const [starts, shifts] = [[] as number[], [] as number[]];
  const others = tokens(after) as Iterator<[number, number]>;
  for (const [from] of tokens(before) as Iterable<[number, number]>) {
    starts.push(from);
    shifts.push((others.next().value?.[0] ?? from) - from);
  }
  const shift = (at: number) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return shifts[low] ?? 0;
  };
  // the end belongs to the token before it
  return ({ from, to }) => ({ from: from + shift(from), to: to + shift(Math.max(from, to - 1)) });
}
