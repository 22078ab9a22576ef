// The parts of a body that the matrix lists: its messages, calls, results, tools and settings.

import { placesOf } from "../engine/places.ts";
import type { Kind, Place } from "../engine/protocol.ts";

export interface Part {
  /** JSON Pointer. */
  path: string;
  name: string;
  /** What distinguishes it from its neighbours. */
  detail: string;
  place?: Place;
}

type Json = Record<string, unknown>;

/** The lists whose items are parts of their own, with the name of an item. */
const lists: Record<string, string> = {
  messages: "message",
  contents: "turn",
  input: "item",
  output: "item",
  tools: "tool",
  choices: "choice",
  candidates: "candidate",
  content: "block",
};
/** The lists of calls in a message. */
const callLists = ["tool_calls", "toolCalls", "content", "parts"];

export function partsOf(text: string, kind: Kind): Part[] {
  if (kind === "stream") return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const parts = isObject(value) ? partsOfBody(value) : [];
  const placeOf = placesOf(
    text,
    parts.map(({ path }) => path),
  );
  return parts.map((part) => {
    const place = placeOf(part.path);
    return place ? { ...part, place } : part;
  });
}

function partsOfBody(body: Json): Part[] {
  return Object.entries(body).flatMap(([key, value]) => {
    const path = `/${key}`;
    const name = lists[key];
    if (name === undefined || !Array.isArray(value)) return [{ path, name: key, detail: short(value) }];
    return value.flatMap((item, index) => partsOfItem(item, `${path}/${index}`, `${name} ${index + 1}`));
  });
}

function partsOfItem(item: unknown, path: string, name: string): Part[] {
  if (!isObject(item)) return [{ path, name, detail: short(item) }];
  const part: Part = { path, name, detail: detailOf(item) };
  const calls = callLists.flatMap((key) => {
    const held = item[key];
    if (!Array.isArray(held)) return [];
    return held.flatMap((block, index) => {
      const called = isObject(block) ? calledBy(block) : undefined;
      return called === undefined ? [] : [{ path: `${path}/${key}/${index}`, name: "↳ call", detail: called }];
    });
  });
  return [part, ...calls];
}

/** The name of the tool that the block calls. */
function calledBy(block: Json): string | undefined {
  const call = [block.function, block.functionCall, block].find(
    (held) => isObject(held) && typeof held.name === "string",
  );
  return isObject(call) && block.type !== "tool_result" ? String(call.name) : undefined;
}

function detailOf(item: Json): string {
  const definition = isObject(item.function) ? item.function : item;
  const words = [item.role ?? (definition.name === undefined ? item.type : undefined), definition.name];
  return words.filter((word) => typeof word === "string").join(" ");
}

function short(value: unknown): string {
  if (typeof value === "object" && value !== null) return "";
  const text = String(value);
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
