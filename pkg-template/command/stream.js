// Converts streams incrementally: server-sent events, lines of JSON, a JSON array of events, or AWS's binary messages.

import * as toolwire from "toolwire";
import { isBinary } from "./peek.js";

/**
 * Passes each converted piece to `write`. `identify` returns the format by the first event: undefined if there is
 * none, null if it is a binary message.
 */
export async function convertStreamed(chunks, conversion, identify, write) {
  const pieces = [];
  let converter;
  const begin = (event) => {
    converter = toolwire.convertStream({ ...conversion, from: identify(event) });
    for (const piece of pieces) write(converter.push(piece));
  };
  try {
    for await (const chunk of chunks) {
      if (converter) {
        write(converter.push(chunk));
        continue;
      }
      pieces.push(chunk);
      const event = isBinary(pieces) ? null : firstEvent(textOf(pieces));
      if (event !== undefined) begin(event);
    }
    if (!converter) begin(whole(textOf(pieces)));
    write(converter.finish());
    // throws an error that was deferred until the preceding output was returned
    converter.finish();
  } finally {
    converter?.free();
  }
}

const textOf = (pieces) => new TextDecoder().decode(Buffer.concat(pieces));

/** The first event of a text that may be incomplete, or undefined if no event is complete. */
export function firstEvent(text) {
  for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
    const event = whole(line.replace(/^data:/, ""));
    if (event !== undefined) return event;
  }
  return undefined;
}

/** The first event of a complete text. A JSON array contains several. */
function whole(text) {
  try {
    const value = JSON.parse(text.replace(/^\s*data:/, ""));
    const first = Array.isArray(value) ? value[0] : value;
    return typeof first === "object" && first !== null ? first : undefined;
  } catch {
    return undefined;
  }
}
