// The two sides of every comparison of streams.

import { byHand } from "./by-hand.mjs";

/** `events` returns canonical events as objects; the others convert bytes to bytes. */
export const pairs = {
  "anthropic → openai": { from: "anthropic", to: "openai" },
  "openai → anthropic": { from: "openai", to: "anthropic" },
  "openai → gemini": { from: "openai", to: "gemini" },
  "openai → events": { from: "openai" },
};

/** Returns a function that creates a converter: an object with `push` and `finish`. */
export function sideOf(side, name, toolwire) {
  if (side === "hand") return byHand[name];
  const { from, to } = pairs[name];
  if (to !== undefined) return () => toolwire.convertStream({ from, to });
  return () => {
    const reader = toolwire.readStream({ from });
    return { push: (bytes) => reader.push(bytes), finish: () => reader.end(), free: () => reader.free() };
  };
}

/** Passes a whole stream through a converter of its own. */
export function runStream(make, pieces) {
  const converter = make();
  let kept;
  for (const piece of pieces) kept = converter.push(piece);
  kept = converter.finish() ?? kept;
  converter.free?.();
  return kept;
}

/** The output of a converter for a stream: events, parsed. */
export function outcomeOf(make, pieces) {
  const converter = make();
  const outputs = [...pieces.map((piece) => converter.push(piece)), converter.finish()];
  if (Array.isArray(outputs[0])) return JSON.parse(JSON.stringify(outputs.flat()));
  return new TextDecoder().decode(Buffer.concat(outputs)).split("\n\n").map(parsed);
}

function parsed(event) {
  const start = event.indexOf("data: ") + 6;
  return event.endsWith("[DONE]") || event === ""
    ? event
    : { name: event.slice(0, start), data: JSON.parse(event.slice(start)) };
}
