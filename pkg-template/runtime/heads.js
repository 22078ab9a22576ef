// The beginnings of streams: what a stream is that cannot be read.

import { taskOf } from "../../build/generated/toolwire/glue.js";
import { BYTES, explainStream, PIECES } from "../formats/hints.js";

const seen = Symbol("how much of the beginning was kept");
const pieces = Symbol("the beginning");

/** An error body or a short response fits; of other streams the first event says enough. */
const LONGEST = 16_384;

/** Keeps a piece of bytes or text, unless what was kept is long enough. */
export function keepHead(stream, piece) {
  // bytes that were given away are empty, and would throw
  if (piece.length === 0 || stream[seen] >= LONGEST) return;
  const length = stream[seen] ?? 0;
  stream[seen] = length + piece.length;
  stream[pieces] ??= [];
  // a copy, as the caller may use the buffer again; that of a Buffer's own slice is none
  const { slice } = typeof piece === "string" ? String.prototype : Uint8Array.prototype;
  stream[pieces].push(slice.call(piece, 0, LONGEST - length));
}

/** The error of a stream's method, with a hint where the stream, or the piece that was pushed, is something else. */
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
