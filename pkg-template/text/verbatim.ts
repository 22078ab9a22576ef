// Pieces of a stream whose event is known without the reader in wasm: they only continue a text. They are read together, with the piece after
// them.

import type { StreamEvent } from "toolwire";

/** An event that continues a text. */
export type Delta = Extract<StreamEvent, { type: "textDelta" | "reasoningDelta" | "toolCallDelta" }>;

export const isDelta = (event: StreamEvent | undefined): event is Delta => event?.type.endsWith("Delta") ?? false;

/** An event like the last one, with another text. */
export const continued = (last: Delta, text: string): Delta =>
  last.type === "toolCallDelta"
    ? { type: last.type, block: last.block, id: last.id, text }
    : { type: last.type, block: last.block, text };

/** Takes this beginning out of the events, which were returned for it before. */
export function takeText(events: StreamEvent[], text: string): StreamEvent[] {
  const [first] = events;
  if (text === "" || !isDelta(first) || !first.text.startsWith(text)) return events;
  if (first.text.length === text.length) events.shift();
  else events[0] = continued(first, first.text.slice(text.length));
  return events;
}

/** The text of a piece's event, or undefined if the reader has to read the piece. */
export type Passes = (piece: string) => string | undefined;

// surrogates are left to the reader: a pair may be split.
const anyOf = (characters: string): RegExp => new RegExp(`[${characters}\\ud800-\\udfff]`);
// quotes, backslashes and control characters
const escaped = /[^ !#-[\]-\uffff]/;
const partOfJson = /^(?:[^"\\<\ud800-\udfff]|\\[^<\ud800-\udfff])*$/;
const endOfValue = new RegExp(`${anyOf("<").source}|\n$`);

/** What each number means that the reader returns as `verbatim`. `starts` are the characters that a marker can begin with. */
export function passesOf(starts: string): (Passes | undefined)[] {
  const start = anyOf(starts);
  return [
    undefined,
    (piece) => (start.test(piece) ? undefined : piece),
    (piece) => (partOfJson.test(piece) ? piece : undefined),
    (piece) => (endOfValue.test(piece) ? undefined : asInJson(piece)),
  ];
}

const asInJson = (text: string) => (escaped.test(text) ? JSON.stringify(text).slice(1, -1) : text);
