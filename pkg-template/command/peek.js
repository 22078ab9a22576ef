// Looks at the start of the input, so that a stream is converted while it arrives.

import { isEventStream } from "../formats/stream-text.js";

/** Enough for the name of a field and what comes before it. */
const ENOUGH = 64;

/** `{ isStream, chunks }`: whether the input is a stream of server-sent events or of AWS's binary messages, and all of its chunks. */
export async function peek(source) {
  const iterator = source[Symbol.asyncIterator]();
  const first = [];
  let isDone = false;
  while (!isDone && new TextDecoder().decode(Buffer.concat(first)).trim().length < ENOUGH) {
    const { done, value } = await iterator.next();
    isDone = done === true;
    if (!isDone) first.push(value);
    if (isBinary(first)) break;
    // a line that is complete is enough, however short
    if (Buffer.concat(first).includes(10, 1) && looksLikeStream(first)) break;
  }
  async function* all() {
    yield* first;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { isStream: looksLikeStream(first), chunks: all() };
}

/** The length of the shortest of AWS's binary messages: two lengths and two checksums. */
const SHORTEST = 16;

/** Whether the chunks are of AWS's binary messages: they begin with a length of four bytes, which is less than 16 MB. No text begins so. */
export function isBinary(chunks) {
  const bytes = Buffer.concat(chunks);
  return bytes[0] === 0 && bytes.length >= SHORTEST;
}

const looksLikeStream = (chunks) => isBinary(chunks) || isEventStream(new TextDecoder().decode(Buffer.concat(chunks)));
