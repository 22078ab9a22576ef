// Keeps the start of each stream, to explain errors.

import { taskOf } from "../../build/generated/toolwire/glue.js";
import { BYTES, explainStream, PIECES } from "../formats/hints.js";

const seen = Symbol("how much of the beginning was kept");
const pieces = Symbol("the beginning");

/** Enough for an error body or a short response. For other streams, the first event is sufficient. */
const LONGEST = 16_384;

/** Keeps a piece of bytes or text, unless enough was kept already. */
export function keepHead(stream, piece) {
  // a detached buffer is empty, and reading it would throw
  if (piece.length === 0 || stream[seen] >= LONGEST) return;
  const length = stream[seen] ?? 0;
  stream[seen] = length + piece.length;
  stream[pieces] ??= [];
  // copy, because the caller may reuse the buffer; `slice` of a Buffer itself does not copy
  const { slice } = typeof piece === "string" ? String.prototype : Uint8Array.prototype;
  stream[pieces].push(slice.call(piece, 0, LONGEST - length));
}

/** The error of a stream's method, with a hint if the stream or the pushed piece appears to be something else. */
export function withHint(error, stream, piece) {
  const task = taskOf(error);
  if (task === undefined) return error;
  const expected = typeof stream.transform === "function" ? BYTES : PIECES;
  explainStream(error, task.from, { expected, piece, head: headOf(stream) });
  return error;
}

function headOf(stream) {
  const decoder = new TextDecoder();
  const text = (piece) => (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
  return (stream[pieces] ?? []).map(text).join("");
}
