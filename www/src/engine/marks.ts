// Marks in the texts of a stream's source, which show where each text of the output came from: the stream is converted a second time with them,
// and a mark in that output proves it. They hold only if that output without its marks is the real one.

import { tokens } from "../../../pkg-template/command/json-text.js";
import { framesOf } from "./frames.ts";
import type { Place } from "./protocol.ts";

/** A string of the source's events: the content between its quotes. */
export interface Text {
  place: Place;
  /** Which strings have the same meaning, by their place in events of one type. */
  group: string;
  /** Which strings are parts of one text. */
  sequence: string;
}

/** A range of the output whose content is that of a range of the source. */
export interface Proof {
  output: Place;
  source: Place;
}

/**
 * How the strings of a group are marked. `around`: before and after the string. `inside`: the same for each string within the JSON that the strings
 * are pieces of. `token`: an id or name is replaced by another one of its length, the same one wherever it occurs.
 */
type Mode = "around" | "inside" | "token";
type Plan = ReadonlyMap<string, Mode>;

/** Strings that conversions decide by. */
const words = /\/(?:type|event_type|object|role|status|phase|\w*reason|\w*Reason|\w*tier)$/;
const names = /\/(?:id|name|\w+_id|\w*Id)$/;

/** Each mark is one character of the planes for private use, by the number of its range. */
const [opening, closing] = [0xf0000, 0x100000];
const mostRanges = 0xfffd;
const marks = /[\u{f0000}-\u{10fffd}]/gu;

/** Maximum number of conversions. */
const mostAttempts = 48;

/** What the marks prove, and which strings, by their beginnings, have none: conversions that depend on them had another output. */
export function provenance(
  source: string,
  output: string,
  convert: (source: string) => string,
): { proofs: Proof[]; unmarked: Set<number> } {
  const texts = textsIn(source);
  const groups = [...new Set(texts.map(({ group }) => group))].filter((group) => !words.test(group.trimEnd()));
  let plan: Plan = new Map();
  let proofs: Proof[] = [];
  let unmarked = new Set(texts.map(({ place }) => place.from));
  let attempts = 0;
  const isDoubtful = source.search(marks) >= 0 || output.search(marks) >= 0;
  const holds = (next: Plan): boolean => {
    const marked = new Marked(source, texts, next);
    const found = marked.edits.length > 0 ? attempt(() => marked.proofs(convert(marked.text), output)) : undefined;
    if (found) [proofs, unmarked] = [found, marked.unmarked];
    return found !== undefined;
  };
  const add = (some: string[], modeOf: (group: string) => Mode): void => {
    if (some.length === 0 || attempts >= mostAttempts) return;
    attempts += 1;
    const next = new Map([...plan, ...some.map((group) => [group, modeOf(group)] as const)]);
    if (holds(next)) plan = next;
    else if (some.length > 1) {
      add(some.slice(0, some.length >> 1), modeOf);
      add(some.slice(some.length >> 1), modeOf);
    }
  };
  const usual = (group: string): Mode => (names.test(group) ? "token" : isJson(group) ? "inside" : "around");
  const isJson = (group: string) => /^\s*(?:\\[nrt])*[{[]/.test(source.slice(...rangeOf(texts, group)));
  if (!isDoubtful) {
    for (const modeOf of [usual, () => "around", () => "inside", () => "token"] as ((group: string) => Mode)[]) {
      add(
        groups.filter((group) => !plan.has(group)),
        modeOf,
      );
    }
  }
  return { proofs, unmarked };
}

function rangeOf(texts: Text[], group: string): [number, number] {
  const place = texts.find((text) => text.group === group)?.place;
  return [place?.from ?? 0, place?.to ?? 0];
}

function attempt<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

// ── the strings of events ──────────────────────────────────────────────────────────────────────────────────────────────

type Json = Record<string, unknown>;

function textsIn(source: string): Text[] {
  return framesOf(source).flatMap(({ data }) => {
    const json = data && source.slice(data.from, data.to);
    const event = json && attempt(() => JSON.parse(json) as Json);
    return event ? textsOfEvent(json, event, data.from) : [];
  });
}

function textsOfEvent(json: string, event: Json, start: number): Text[] {
  const type = String(event.type ?? event.event_type ?? "");
  return stringsIn(json).map(({ from, to, steps }) => {
    const content = json.slice(from, to);
    // a text of white space may be handled as an empty one
    const blank = /^(?:\s|\\[nrt])*$/.test(content) ? " " : "";
    const group = `${type}/${steps.filter((step) => typeof step === "string").join("/")}${blank}`;
    return { place: { from: start + from, to: start + to }, group, sequence: `${type}${sequenceOf(event, steps)}` };
  });
}

/** The path, with what numbers the items that it leads through. */
function sequenceOf(event: Json, steps: (string | number)[]): string {
  const parts: unknown[] = [...steps];
  let held: unknown = event;
  for (const step of [...steps, undefined]) {
    if (typeof held !== "object" || held === null) break;
    parts.push(...Object.entries(held).flatMap(([key, value]) => (/index$|^item_id$/i.test(key) ? [key, value] : [])));
    if (step !== undefined) held = (held as Json)[step];
  }
  return parts.join("/");
}

/** The strings of valid JSON that are values and not empty, without their quotes. */
function stringsIn(json: string): (Place & { steps: (string | number)[] })[] {
  const found: (Place & { steps: (string | number)[] })[] = [];
  const levels: { key: string | undefined; index: number; isArray: boolean }[] = [];
  for (const [from, to] of tokens(json) as Iterable<[number, number]>) {
    const level = levels.at(-1);
    const token = json[from] ?? "";
    if (token === "{" || token === "[") levels.push({ key: undefined, index: 0, isArray: token === "[" });
    else if (token === "}" || token === "]") levels.pop();
    else if (token === "," && level) Object.assign(level, { key: undefined, index: level.index + 1 });
    else if (token === '"' && level && !level.isArray && level.key === undefined) {
      level.key = JSON.parse(json.slice(from, to)) as string;
    } else if (token === '"' && to - from > 2) {
      const steps = levels.map(({ isArray, index, key = "" }) => (isArray ? index : key));
      found.push({ from: from + 1, to: to - 1, steps });
    }
  }
  return found;
}

// ── a source with marks ────────────────────────────────────────────────────────────────────────────────────────────────

/** The content of a string: an id or name, and what stands for it. */
interface Token {
  content: string;
  places: Place[];
}

class Marked {
  readonly text: string;
  readonly edits: { at: number; end: number; text: string }[] = [];
  /** The beginnings of strings without marks. */
  readonly unmarked = new Set<number>();
  readonly #source: string;
  readonly #ranges: Place[] = [];
  readonly #tokens = new Map<string, Token>();

  constructor(source: string, texts: Text[], plan: Plan) {
    this.#source = source;
    const states = new Map<string, Inside>();
    for (const { place, group, sequence } of texts) {
      const mode = plan.get(group);
      const { length } = this.edits;
      if (mode === "around") this.#surround(place);
      else if (mode === "token") this.#replace(place);
      else if (mode === "inside") {
        const state = states.get(sequence) ?? { isString: false, isEscaped: false, digits: 0 };
        states.set(sequence, state);
        for (const part of stringsInPiece(source.slice(place.from, place.to), state)) {
          this.#surround({ from: place.from + part.from, to: place.from + part.to });
        }
      }
      if (this.edits.length === length) this.unmarked.add(place.from);
    }
    let [text, at] = ["", 0];
    for (const edit of this.edits) {
      text += source.slice(at, edit.at) + edit.text;
      at = edit.end;
    }
    this.text = text + source.slice(at);
  }

  #surround(place: Place): void {
    const number = this.#ranges.length;
    if (number >= mostRanges || place.from >= place.to) return;
    this.#ranges.push(place);
    for (const [at, first] of [
      [place.from, opening],
      [place.to, closing],
    ] as const) {
      this.edits.push({ at, end: at, text: String.fromCodePoint(first + number) });
    }
  }

  #replace(place: Place): void {
    const content = this.#source.slice(place.from, place.to);
    const known = [...this.#tokens].find(([, token]) => token.content === content);
    const text = known?.[0] ?? tokenFor(content, this.#tokens.size, this.#source);
    if (text === undefined) return;
    const token = known?.[1] ?? { content, places: [] };
    token.places.push(place);
    this.#tokens.set(text, token);
    this.edits.push({ at: place.from, end: place.to, text });
  }

  /** What the marks in an output prove, or undefined if without them it is not the real one. */
  proofs(marked: string, output: string): Proof[] | undefined {
    const proofs: Proof[] = [];
    const open = new Map<number, number>();
    let [text, at] = ["", 0];
    for (const { 0: mark, index } of marked.matchAll(marks)) {
      text += marked.slice(at, index);
      at = index + mark.length;
      const code = mark.codePointAt(0) ?? 0;
      const number = code - (code < closing ? opening : closing);
      const source = this.#ranges[number];
      if (!source) return undefined;
      if (code < closing) open.set(number, text.length);
      else {
        const from = open.get(number);
        if (from === undefined) return undefined;
        open.delete(number);
        if (from < text.length) proofs.push({ output: { from, to: text.length }, source });
      }
    }
    text += marked.slice(at);
    if (open.size > 0) return undefined;
    for (const [token, { content, places }] of this.#tokens) {
      for (let from = text.indexOf(token); from >= 0; from = text.indexOf(token, from + 1)) {
        for (const source of places) proofs.push({ output: { from, to: from + token.length }, source });
      }
      text = text.replaceAll(token, content);
    }
    return isSame(text, output, this.#source) ? proofs : undefined;
  }
}

/** Another id or name of the same length and form, which does not occur in the source. */
function tokenFor(content: string, number: number, source: string): string | undefined {
  if (!/^[\w.:-]+$/.test(content) || content.replaceAll(/[^a-z\d]/gi, "").length < 4) return undefined;
  let state = number + 1;
  const next = (count: number) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % count;
  };
  const one = (first: string, count: number) => String.fromCharCode(first.charCodeAt(0) + next(count));
  for (let tries = 0; tries < 9; tries++) {
    const token = content
      .replaceAll(/[a-z]/g, () => one("a", 26))
      .replaceAll(/[A-Z]/g, () => one("A", 26))
      .replaceAll(/\d/g, () => one("0", 10));
    if (!source.includes(token)) return token;
  }
  return undefined;
}

/** Whether both outputs are the same, except for ids that are generated from the contents of the source. */
function isSame(text: string, output: string, source: string): boolean {
  if (text === output) return true;
  if (text.length !== output.length) return false;
  for (const { 0: id, index } of output.matchAll(/[\w-]+|[^\w-]+/g)) {
    const other = text.slice(index, index + id.length);
    if (other !== id && !(/^[\w-]{8,}$/.test(id) && /^[\w-]+$/.test(other) && !source.includes(id))) return false;
  }
  return true;
}

// ── strings within pieces of JSON ──────────────────────────────────────────────────────────────────────────────────────

/** Where in a JSON text a piece ends. `digits` are those that are left of `\u0000`. */
interface Inside {
  isString: boolean;
  isEscaped: boolean;
  digits: number;
}

/** The contents of strings within a piece of JSON that is itself the content of a string, or the parts of them that the piece has. */
function stringsInPiece(raw: string, state: Inside): Place[] {
  const found: Place[] = [];
  let from: number | undefined;
  let safe: number | undefined;
  const close = (to: number | undefined) => {
    if (from !== undefined && to !== undefined && from < to) found.push({ from, to });
    from = undefined;
  };
  for (const { 0: unit, index } of raw.matchAll(/\\u[\da-fA-F]{4}|\\.|[^\\]/gs)) {
    const character = unit.length === 1 ? unit : (JSON.parse(`"${unit}"`) as string);
    if (state.isString && !state.isEscaped && state.digits === 0) {
      safe = index;
      if (character === '"') close(index);
      else from ??= index;
    }
    advance(state, character);
  }
  close(state.isString && !state.isEscaped && state.digits === 0 ? raw.length : safe);
  return found;
}

function advance(state: Inside, character: string): void {
  if (state.digits > 0) state.digits -= 1;
  else if (state.isEscaped) Object.assign(state, { isEscaped: false, digits: character === "u" ? 4 : 0 });
  else if (character === '"') state.isString = !state.isString;
  else if (character === "\\") state.isEscaped = state.isString;
}
