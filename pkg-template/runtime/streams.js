// What streams need of JavaScript's own.

import { readStream, StreamConverter, StreamReader } from "../../build/generated/toolwire/api.js";
import { ToolwireError } from "../../build/generated/toolwire/glue.js";
import { copied } from "../../src/value/js/host.js";
import { sizeOf } from "../../src/value/js/values.js";
import { unfitSource } from "../formats/hints.js";
import { isFreed } from "./classes.js";
import { keepHead } from "./heads.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const view = Symbol("view of the memory");
const buffer = Symbol("what it is a view of");
const input = Symbol("where it takes bytes");
const room = Symbol("how many");
const slab = Symbol("buffer of the next short pieces");
const taken = Symbol("how much of it is");
const half = Symbol("half of a surrogate pair");
const isPiped = Symbol("has a pipe");

// Bytes. The engine makes the shortest without a buffer.
const SLAB = 16_384;
const SHORTEST_SHARED = 65;
const LONGEST_SHARED = 2048;

/** The memory of the wasm that a stream lives in. A view has no length once the memory has grown. */
function memoryOf(stream) {
  if (!(stream[view]?.length > 0)) {
    stream[buffer] = stream.memory().buffer;
    stream[view] = new Uint8Array(stream[buffer]);
  }
  return stream[view];
}

/**
 * Bytes go straight into the memory of the wasm, and what they give is fetched there: a call passes numbers only. Gives the length
 * of what was written.
 */
function pushBytes(stream, bytes, length) {
  // asked for room, it says so if it is not there any more
  if (isFreed(stream) || !(length <= stream[room])) {
    stream[input] = stream.room(length);
    stream[room] = length;
  }
  // bytes whose buffer was given away are empty, and would throw
  if (length > 0) memoryOf(stream).set(bytes, stream[input]);
  const written = stream.advance(length);
  return written < 0 ? stream.deliver() : written;
}

StreamConverter.prototype.push = function (chunk) {
  const length = sizeOf(chunk);
  if (length < 0) return this.pushValue(chunk);
  keepHead(this, chunk);
  const written = pushBytes(this, chunk, length);
  return handOut(this, this.written(), written);
};

/**
 * To make a buffer takes longer than all that is done for a short piece, so those of one stream share some. Nothing is ever
 * written twice to the same place.
 */
function handOut(stream, pointer, length) {
  const memory = memoryOf(stream);
  if (length < SHORTEST_SHARED || length > LONGEST_SHARED) return copied(memory, pointer, length);
  let start = stream[taken];
  // one that was transferred has no length
  if (!(start + length <= stream[slab]?.byteLength)) {
    stream[slab] = new ArrayBuffer(SLAB);
    start = 0;
  }
  const piece = new Uint8Array(stream[slab], start, length);
  piece.set(new Uint8Array(stream[buffer], pointer, length));
  stream[taken] = start + length;
  return piece;
}

StreamReader.prototype.push = function (chunk) {
  const length = sizeOf(chunk);
  if (typeof chunk === "string") {
    keepHead(this, chunk);
    return this.pushValue(wholePairs(this, chunk));
  }
  if (length < 0) return this.pushValue(chunk);
  keepHead(this, chunk);
  const written = pushBytes(this, chunk, length);
  const pointer = this.written();
  return JSON.parse(decoder.decode(memoryOf(this).subarray(pointer, pointer + written)));
};

/** The text without half of a pair at its end, which waits for the next piece. */
function wholePairs(stream, piece) {
  const text = (stream[half] ?? "") + piece;
  const isHalf = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
  stream[half] = isHalf ? text.slice(-1) : "";
  return isHalf ? text.slice(0, -1) : text;
}

/** The converter as a stream to pipe through: its errors reach both sides, and back-pressure passes. */
StreamConverter.prototype.transform = function () {
  if (this[isPiped]) throw new ToolwireError("stream_failed", "this converter is a pipe already", "");
  // throws if the converter has failed, ended or been freed
  this.push(NOTHING);
  this[isPiped] = true;
  const give = (controller, bytes) => bytes.length > 0 && controller.enqueue(bytes);
  const orRelease = (work) => (first, second) => {
    try {
      work(first, second);
    } catch (error) {
      release(this);
      throw error;
    }
  };
  return new TransformStream({
    transform: orRelease((chunk, controller) => {
      give(controller, this.push(chunk));
      // an error that waited for what came before it
      this.push(NOTHING);
    }),
    flush: orRelease((controller) => {
      give(controller, this.finish());
      this.finish();
      release(this);
    }),
    cancel: () => release(this),
  });
};

const NOTHING = new Uint8Array();

/** Frees a converter that nothing more comes to; what it has to tell may still be asked for. */
function release(converter) {
  if (isFreed(converter)) return;
  Object.defineProperty(converter, "warnings", { value: converter.warnings, enumerable: true });
  converter.free();
}

/** The events of a stream of bytes, of text or of an SDK's events; returns the whole response at the end. */
export function streamEvents(source, options) {
  const reader = readStream(options);
  return eventsOf(reader, source);
}

async function* eventsOf(reader, source) {
  try {
    for await (const piece of piecesOf(source)) yield* reader.push(piece);
    yield* reader.end();
    return reader.finish();
  } finally {
    reader.free();
  }
}

// Not every browser can iterate over a ReadableStream.
function piecesOf(source) {
  if (source?.[Symbol.asyncIterator] || source?.[Symbol.iterator]) return source;
  if (typeof source?.getReader === "function") return readableOf(source);
  const found = unfitSource(source);
  const what = found === undefined ? "" : `, found ${found}`;
  throw new ToolwireError("invalid_type", `expected a stream: an iterable, or a ReadableStream${what}`, "");
}

async function* readableOf(source) {
  const reader = source.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel();
    reader.releaseLock();
  }
}
