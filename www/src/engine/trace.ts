// Where each value of an output came from, as pairs of places in the two texts that the page shows.

import type { Conversion, convertRequest, Warning } from "toolwire";
import { traceBody } from "toolwire/trace";
import { convert as convertBody } from "../../../pkg-template/command/convert.js";
import { indented, tokens } from "../../../pkg-template/command/json-text.js";
import { convertPiece } from "./convert-piece.ts";
import { itemsOf } from "./frames.ts";
import { isPiece } from "./pieces.ts";
import { isPart, type Kind, type Link, type Place, type Tasks } from "./protocol.ts";
import { convertResult } from "./results.ts";
import { linksOfStream } from "./stream-trace.ts";

/** In the order of the core's `How`. */
const hows = ["copied", "decoded", "joined", "encoded", "fitted", "made"] as const;

type Task = Tasks["trace"]["task"];

export function trace({ text, identity: { from, kind }, to, settings }: Task): Traced {
  const conversion = { ...settings, bookkeeping: true, from, to } as Conversion;
  if (kind === "stream") return linksOfStream(text, { ...settings, from, to } as Conversion);
  if (isPart(kind)) return linksOfPiece(kind, text, conversion);
  const body = traced(text, kind as BodyKind, conversion);
  return placed(body.output, body, (place) => place);
}

type Traced = Tasks["trace"]["result"];
type BodyKind = Parameters<typeof traceBody>[1];

/** The map of a body. Places in the output are in the text as the core wrote it; `targets` has one for each warning. */
function traced(text: string, kind: BodyKind, conversion: Conversion) {
  const bytes = new TextEncoder().encode(text);
  const { output, warnings, map, targets } = traceBody(bytes, kind, conversion);
  const inSource = indexOf(text, bytes.length);
  const inOutput = indexOf(output);
  const links: Link[] = [];
  for (let row = 0; row < map.length; row += 5) {
    const [start = 0, end = 0, first = 0, last = 0, how = 0] = map.subarray(row, row + 5);
    const whole = { from: inOutput(start), to: inOutput(end) };
    const origin = { from: inSource(first), to: inSource(last) };
    const name = hows[how] ?? "made";
    for (const [part, source] of parts(output, whole, text, origin, name)) {
      links.push({ output: part, ...(source && { source }), how: name });
    }
  }
  const places = warnings.map((warning, index) => {
    const [start = 0, end = 0] = targets.subarray(2 * index, 2 * index + 2);
    return { warning, ...(end > 0 && { output: { from: inOutput(start), to: inOutput(end) } }) };
  });
  return { output, links, targets: places };
}

/** The same for an output that is shown, of which `within` finds the places. */
function placed(
  output: string,
  { links, targets }: Pick<ReturnType<typeof traced>, "links" | "targets">,
  within: (place: Place) => Place | undefined,
): Traced {
  const shown = indented(output) as string;
  const laidOut = moved(output, shown);
  const placeOf = (place: Place | undefined) => {
    const found = place && within(place);
    return found && laidOut(found);
  };
  return {
    output: shown,
    links: links.flatMap((link) => {
      const place = placeOf(link.output);
      return place ? [{ ...link, output: place }] : [];
    }),
    targets: targets.map(({ warning: { code, path }, output: place }) => {
      const found = placeOf(place);
      return { code, path, ...(found && { output: found }) };
    }),
  };
}

/** A piece is converted in a request: the map of that request, of which only what concerns the piece remains. */
function linksOfPiece(kind: Kind, text: string, conversion: Conversion): Traced {
  const value: unknown = JSON.parse(text);
  const targets: ReturnType<typeof traced>["targets"] = [];
  let request: { body: string; map: ReturnType<typeof traced> } | undefined;
  let place: Place | undefined;
  const inRequest = (body: string, { onWarning, ...options }: Conversion) => {
    const map = traced(body, "request", options as Conversion);
    request ??= { body, map };
    for (const target of map.targets) {
      place = target.output;
      onWarning?.(target.warning);
    }
    return map.output;
  };
  const onWarning = (warning: Warning) => targets.push({ warning, ...(place && { output: place }) });
  const given = { ...conversion, onWarning } as Conversion;
  const convert = inRequest as typeof convertRequest;
  const output = isPiece(kind)
    ? convertPiece(kind, text, value, given, convert)
    : kind === "result"
      ? convertResult(text, value, given, convert)
      : (convertBody(kind, { bytes: new TextEncoder().encode(text), value }, given, convert) as string);
  if (!request) return { output: indented(output) as string, links: [], targets: [] };
  const { body, map } = request;
  const inSource = shared(body, partsOf(text));
  const links = map.links.map((link): Link => {
    const source = link.source && inSource(link.source);
    return source ? { ...link, source } : { output: link.output, how: "made" };
  });
  return placed(output, { links, targets }, shared(map.output, partsOf(output)));
}

/** The parts of a piece that are in a request as they are, in the same order: itself, its items, or its members. */
function partsOf(text: string): { text: string; places: Place[][] } {
  const [begin, items] = [text.search(/\S/), itemsOf(text)];
  return { text, places: [[{ from: begin, to: text.trimEnd().length }], items] };
}

/** Where a place in a request is in a piece of it. */
function shared(request: string, { text, places }: ReturnType<typeof partsOf>): (place: Place) => Place | undefined {
  const found: { at: number; part: Place }[] = [];
  for (const parts of places) {
    let cursor = 0;
    for (const part of parts) {
      const at = request.indexOf(text.slice(part.from, part.to), cursor);
      if (at < 0) continue;
      found.push({ at, part });
      cursor = at + part.to - part.from;
    }
    if (found.length > 0) break;
  }
  return ({ from, to }) => {
    const within = found.find(({ at, part }) => at <= from && to <= at + part.to - part.from);
    return within && { from: from - within.at + within.part.from, to: to - within.at + within.part.from };
  };
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
