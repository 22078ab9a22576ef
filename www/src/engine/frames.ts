// Splits the transcript of a stream into pieces: server-sent events, lines of JSON, or the items of an array.

import { tokens } from "../../../pkg-template/command/json-text.js";
import type { Place } from "./protocol.ts";

/** `data` is the place of the piece's JSON. */
export interface Frame extends Place {
  data?: Place;
}

const field = /^(?:data|event|id|retry)?:/;

export function looksLikeStream(text: string, value: unknown): boolean {
  if (value !== undefined) return Array.isArray(value) && value.length > 0 && value.every(isChunk);
  const first = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  return field.test(first) || (text.trim().includes("\n") && isJson(first));
}

/** A streamed response of Gemini without `alt=sse` is an array. Each item is like a whole response. */
function isChunk(item: unknown): boolean {
  return typeof item === "object" && item !== null && ("candidates" in item || "usageMetadata" in item);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function framesOf(text: string): Frame[] {
  const start = text.search(/\S/);
  if (start < 0) return [];
  if (text[start] === "[" && isJson(text)) return items(text);
  return text[start] === "{" ? lines(text) : events(text);
}

function events(text: string): Frame[] {
  const frames: Frame[] = [];
  let from = 0;
  let data: Place | undefined;
  const end = (to: number) => {
    frames.push({ from, to, ...(data && { data }) });
    from = to;
    data = undefined;
  };
  for (const [begin, stop, next] of linesOf(text)) {
    const line = text.slice(begin, stop);
    if (line === "") {
      if (data) end(next);
    } else if (line.startsWith("data:")) {
      data ??= { from: begin + (line[5] === " " ? 6 : 5), to: stop };
    }
  }
  if (text.slice(from).trim() !== "") end(text.length);
  return frames;
}

function lines(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const [from, stop, to] of linesOf(text)) {
    if (text.slice(from, stop).trim() !== "") frames.push({ from, to, data: { from, to: stop } });
  }
  return frames;
}

function items(text: string): Frame[] {
  const frames = itemsOf(text).map((data) => ({ ...data, data }));
  for (const [index, frame] of frames.entries()) {
    frame.from = frames[index - 1]?.to ?? 0;
    if (index === frames.length - 1) frame.to = text.length;
  }
  return frames;
}

/** The places of the items of a JSON array that are objects or arrays. */
export function itemsOf(text: string): Place[] {
  const found: Place[] = [];
  let depth = 0;
  let from = 0;
  for (const [start, end] of tokens(text) as Iterable<[number, number]>) {
    const token = text[start];
    if ((token === "{" || token === "[") && depth++ === 1) from = start;
    if ((token === "}" || token === "]") && --depth === 1) found.push({ from, to: end });
  }
  return found;
}

/** `[start, end, start of the next]` of each line. */
function* linesOf(text: string): Iterable<[number, number, number]> {
  const ends = /\r\n|\r|\n|$/g;
  for (let start = 0; start < text.length; ) {
    ends.lastIndex = start;
    const found = ends.exec(text);
    if (!found) return;
    const next = found.index + found[0].length;
    yield [start, found.index, next];
    start = next;
  }
}
