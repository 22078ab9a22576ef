// JSON Pointers → places in the text.

import { tokens } from "../../../pkg-template/command/json-text.js";
import type { Place } from "./protocol.ts";

interface Wanted {
  pointer: string;
  below: Map<string, Wanted>;
}

interface Level {
  isArray: boolean;
  wanted: Wanted | undefined;
  index: number;
  key: Place | undefined;
}

/** No mark is longer: it says where to look. */
const longest = 160;

/**
 * Where the pointers lead in valid JSON text: to a member's key (with its value, if that is short), or to the beginning of an item.
 * A pointer that leads to nothing leads to what would hold it.
 */
export function placesOf(text: string, pointers: Iterable<string>): (pointer: string) => Place | undefined {
  const root = wantedTree(pointers);
  const places = new Map<string, Place>();
  const levels: Level[] = [];
  const found = (wanted: Wanted | undefined, place: Place) => {
    if (wanted) places.set(wanted.pointer, clipped(text, place));
  };
  const child = (level: Level | undefined, name: string) => (level ? level.wanted?.below.get(name) : root);
  for (const [from, to] of tokens(text) as Iterable<[number, number]>) {
    const level = levels.at(-1);
    const token = text[from] ?? "";
    if (token === "]" || token === "}") levels.pop();
    else if (token === ",") advance(level);
    else if (token === '"' && level && !level.isArray && !level.key) level.key = { from, to };
    else if (token !== ":") {
      const wanted = child(level, nameOf(text, level));
      const opens = token === "{" || token === "[";
      if (level?.key) found(wanted, opens ? level.key : { from: level.key.from, to });
      else found(wanted, opens ? { from, to: from + longest } : { from, to });
      if (opens) levels.push({ isArray: token === "[", wanted, index: 0, key: undefined });
    }
  }
  return (pointer) => nearest(places, pointer);
}

function advance(level: Level | undefined): void {
  if (!level) return;
  level.index += 1;
  level.key = undefined;
}

function nameOf(text: string, level: Level | undefined): string {
  if (!level) return "";
  if (!level.key) return String(level.index);
  const key = text.slice(level.key.from, level.key.to);
  return key.includes("\\") ? (JSON.parse(key) as string) : key.slice(1, -1);
}

/** Ends with the line. */
function clipped(text: string, { from, to }: Place): Place {
  const line = text.slice(from, Math.min(to, from + longest)).split(/[\r\n]/, 1)[0] ?? "";
  return { from, to: from + line.trimEnd().length };
}

function wantedTree(pointers: Iterable<string>): Wanted {
  const root: Wanted = { pointer: "", below: new Map() };
  for (const pointer of pointers) {
    let at = root;
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      let next = at.below.get(name);
      if (!next) {
        next = { pointer: `${at.pointer}/${step}`, below: new Map() };
        at.below.set(name, next);
      }
      at = next;
    }
  }
  return root;
}

function nearest(places: Map<string, Place>, pointer: string): Place | undefined {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const place = places.get(at);
    if (place || at === "") return place;
  }
}
