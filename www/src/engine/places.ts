// Converts JSON Pointers to places in the text.

import { tokens } from "../../../pkg-template/command/json-text.js";
import type { Place } from "./protocol.ts";

interface Wanted {
  pointer: string;
  below: Map<string, Wanted>;
}

interface Level {
  isArray: boolean;
  wanted: Wanted | undefined;
  /** Where the value begins, including its key. */
  from: number;
  index: number;
  key: Place | undefined;
}

/**
 * The places of the pointers' values in valid JSON text, including their keys. For a value that does not exist, the place of the
 * container that would have it.
 */
export function placesOf(text: string, pointers: Iterable<string>): (pointer: string) => Place | undefined {
  const root = wantedTree(pointers);
  const places = new Map<string, Place>();
  const levels: Level[] = [];
  const found = (wanted: Wanted | undefined, place: Place) => wanted && places.set(wanted.pointer, place);
  const child = (level: Level | undefined, name: string) => (level ? level.wanted?.below.get(name) : root);
  for (const [from, to] of tokens(text) as Iterable<[number, number]>) {
    const level = levels.at(-1);
    const token = text[from] ?? "";
    if (token === "]" || token === "}") {
      levels.pop();
      if (level) found(level.wanted, { from: level.from, to });
    } else if (token === ",") advance(level);
    else if (token === '"' && level && !level.isArray && !level.key) level.key = { from, to };
    else if (token !== ":") {
      const wanted = child(level, nameOf(text, level));
      const begin = level?.key?.from ?? from;
      const opens = token === "{" || token === "[";
      if (opens) levels.push({ isArray: token === "[", wanted, from: begin, index: 0, key: undefined });
      else found(wanted, { from: begin, to });
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
