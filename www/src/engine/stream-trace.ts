// Where each part of a converted stream came from: events, and the values within them.

import { type Conversion, convertStream } from "toolwire";
import { tokens } from "../../../pkg-template/command/json-text.js";
import { framesOf } from "./frames.ts";
import { type Proof, provenance } from "./marks.ts";
import { play } from "./play.ts";
import type { Link, Place, Tasks } from "./protocol.ts";
import { shownIn } from "./streams.ts";

interface Sent {
  output: Place;
  /** The events of the source since the one before. */
  held: Place[];
}

/**
 * Each event of the source, and what the target is sent for it. What is held back is sent with a later event. Texts within them are linked where marks
 * prove it. Encoders write them after they were taken out of the store, so the core has no map of them. Other values, such as numbers and texts that
 * the conversion depends on, are linked where they are equal and occur once in these events.
 */
export function linksOfStream(text: string, conversion: Conversion): Tasks["trace"]["result"] {
  const { output, sent } = played(text, conversion);
  const { proofs, unmarked } = provenance(text, output, (marked) => outputOf(marked, conversion));
  const links = linksOf(proofs, text, output, sent);
  const linked = new Set(links.map((link) => link.output.from));
  const [values, events]: [Link[], Link[]] = [[], []];
  for (const { output: place, held } of sent) {
    if (held.length === 0) events.push({ output: place, how: "made" });
    for (const source of held) events.push({ output: place, source, how: "event" });
    const sources = valuesIn(text, held).map((one) =>
      typeof one.value === "string" && !unmarked.has(one.place.from + 1) ? { ...one, isProven: true } : one,
    );
    values.push(...equalValues(valuesIn(output, [place]), sources).filter((link) => !linked.has(link.output.from)));
  }
  // the first link at a place is the one that is shown
  return { output, links: [...links, ...values, ...events], targets: [] };
}

function played(text: string, conversion: Conversion): { output: string; sent: Sent[] } {
  const sent: Sent[] = [];
  let output = "";
  let held: Place[] = [];
  for (const step of play(text, conversion).steps) {
    const place = { from: output.length, to: output.length + step.output.length };
    output += step.output;
    if (step.wire) held.push(step.wire);
    if (place.from === place.to) continue;
    sent.push({ output: place, held });
    held = [];
  }
  return { output, sent };
}

/** The output of a stream, up to an error that ends it. */
function outputOf(text: string, conversion: Conversion): string {
  const converter = convertStream(conversion);
  const shown = shownIn(conversion.to);
  let output = "";
  try {
    for (const { from, to } of framesOf(text))
      output += shown(converter.push(new TextEncoder().encode(text.slice(from, to))));
    return output + shown(converter.finish());
  } catch {
    return output;
  } finally {
    converter.free();
  }
}

// ── links of what is proven ────────────────────────────────────────────────────────────────────────────────────────────

function linksOf(proofs: Proof[], text: string, output: string, sent: Sent[]): Link[] {
  const latest = new Map<string, Proof>();
  for (const proof of proofs) {
    // an id has several places: the last one that had been received
    const key = `${proof.output.from} ${proof.output.to}`;
    const isReceived = proof.source.from < receivedBy(sent, proof.output.from);
    if (!latest.has(key) || isReceived) latest.set(key, proof);
  }
  return [...latest.values()].map((proof) => linkOf(proof, text, output));
}

/** The end of the events that were received when the output at this position was sent. */
function receivedBy(sent: Sent[], at: number): number {
  let [low, high] = [0, sent.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sent[middle]?.output.from ?? 0) <= at) low = middle;
    else high = middle;
  }
  for (; low >= 0; low--) {
    const last = sent[low]?.held.at(-1);
    if (last) return last.to;
  }
  return 0;
}

/** A whole string has its quotes. */
function linkOf({ output: to, source: from }: Proof, text: string, output: string): Link {
  const [given, made] = [quoted(text, from), quoted(output, to)];
  const isWhole = given !== undefined && made !== undefined;
  const levels = isWhole ? given.from - from.from - (made.from - to.from) : 0;
  const how = howOf(text.slice(from.from, from.to), output.slice(to.from, to.to), isWhole, levels);
  return { output: isWhole ? made : to, source: isWhole ? given : from, how };
}

/** With the quotes around it, which are escaped in a string within a string; undefined for a part of a string. */
function quoted(text: string, { from, to }: Place): Place | undefined {
  const [before] = /\\*"$/.exec(text.slice(Math.max(0, from - 8), from)) ?? [];
  return before !== undefined && text.startsWith(before, to)
    ? { from: from - before.length, to: to + before.length }
    : undefined;
}

/** `levels`: how much longer the quotes of the output are, which are escaped in a string within a string. */
function howOf(given: string, made: string, isWhole: boolean, levels: number): Link["how"] {
  if (given === made && levels === 0) return isWhole ? "copied" : "joined";
  if (unescapings(given).includes(made) || unescapings(given).some((one) => unescapings(made).includes(one))) {
    return given.length - levels > made.length ? "decoded" : "encoded";
  }
  return "fitted";
}

/** The text, and what it is without one or two levels of escapes. */
function unescapings(text: string): string[] {
  const found = [text];
  for (let level = 0; level < 2; level++) {
    try {
      found.push(JSON.parse(`"${found.at(-1)}"`) as string);
    } catch {
      break;
    }
  }
  return found;
}

// ── links of what is equal ─────────────────────────────────────────────────────────────────────────────────────────────

interface Held {
  place: Place;
  value: string | number;
  /** Whether marks show where it went. */
  isProven?: boolean;
}

/** The strings and numbers of events, without keys, and without what is too short to be recognized. */
function valuesIn(text: string, places: Place[]): Held[] {
  return places.flatMap(({ from, to }) => {
    const piece = text.slice(from, to);
    return framesOf(piece).flatMap(({ data }) =>
      data ? scalarsIn(piece.slice(data.from, data.to), from + data.from) : [],
    );
  });
}

function scalarsIn(json: string, start: number): Held[] {
  // an end marker, or data of several lines; only valid JSON has tokens
  if (readToken(json) === undefined) return [];
  const found: Held[] = [];
  for (const [from, to] of tokens(json) as Iterable<[number, number]>) {
    const token = json.slice(from, to);
    if (token === ":") found.pop();
    // an item that is a key is taken back above
    else if (/^(?:".+"|-?\d[\d.]+)$/s.test(token))
      found.push({ place: { from: start + from, to: start + to }, value: readToken(token) ?? "" });
    else if (token !== "," && token !== "}" && token !== "]") found.push({ place: { from: 0, to: 0 }, value: "" });
  }
  return found.filter(({ value }) => value !== "");
}

function readToken(token: string): string | number | undefined {
  try {
    return JSON.parse(token) as string | number;
  } catch {
    return undefined;
  }
}

function equalValues(outputs: Held[], sources: Held[]): Link[] {
  const once = new Map<string | number, Place | undefined>();
  for (const { value, place, isProven } of sources) once.set(value, once.has(value) || isProven ? undefined : place);
  return outputs.flatMap(({ value, place }) => {
    const source = once.get(value);
    return source ? [{ output: place, source, how: "equal" as const }] : [];
  });
}
