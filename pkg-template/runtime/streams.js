// The JavaScript part of streams.

import { readStream, StreamConverter, StreamReader } from "../../build/generated/toolwire/api.js";
import { ToolwireError } from "../../build/generated/toolwire/glue.js";
import { copied } from "../../src/value/js/host.js";
import { sizeOf } from "../../src/value/js/values.js";
import { eventStream } from "../core/event-stream.js";
import { unfitSource } from "../formats/hints.js";
import { isFreed } from "./classes.js";
import { keepHead } from "./heads.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const view = Symbol("view of the memory");
const buffer = Symbol("buffer of the view");
const input = Symbol("position where it takes bytes");
const capacity = Symbol("how many bytes it takes");
const slab = Symbol("buffer of the next short pieces");
const taken = Symbol("how much of that buffer is used");
const half = Symbol("half of a surrogate pair");
const isPiped = Symbol("has a pipe");

// In bytes. Engines allocate smaller arrays without a separate buffer.
const SLAB = 16_384;
const SHORTEST_SHARED = 65;
const LONGEST_SHARED = 2048;

/** The wasm memory of a stream. A view has length 0 once the memory has grown, so it is created again. */
function memoryOf(stream) {
  if (!(stream[view]?.length > 0)) {
    stream[buffer] = stream.memory().buffer;
    stream[view] = new Uint8Array(stream[buffer]);
  }
  return stream[view];
}

/**
 * Writes bytes directly into the wasm memory, where the output is read as well, so that calls pass only numbers. Returns the length of
 * the output.
 */
function pushBytes(stream, bytes, length) {
  // a freed stream throws when its `reserve` is called
  if (isFreed(stream) || !(length <= stream[capacity])) {
    stream[input] = stream.reserve(length);
    stream[capacity] = length;
  }
  // a detached buffer is empty, and reading it would throw
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
 * Copies output to a buffer that several outputs of a stream share, because allocating one takes longer than processing
 * a short piece. No part of it is written twice.
 */
function handOut(stream, pointer, length) {
  const memory = memoryOf(stream);
  if (length < SHORTEST_SHARED || length > LONGEST_SHARED) return copied(memory, pointer, length);
  let start = stream[taken];
  // a transferred buffer has length 0
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

/** The text without an unpaired surrogate at its end, which is kept for the next piece. */
function wholePairs(stream, piece) {
  const text = (stream[half] ?? "") + piece;
  const isHalf = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
  stream[half] = isHalf ? text.slice(-1) : "";
  return isHalf ? text.slice(0, -1) : text;
}

/**
 * The converter as a pair of streams, with back-pressure. Errors of the conversion reach both sides. A source that breaks off ends the
 * target's stream like one that is cut off: with an error event of its format, as clients get no reason from a torn connection.
 */
StreamConverter.prototype.transform = function () {
  if (this[isPiped]) throw new ToolwireError("stream_failed", "this converter is already used as a pipe", "");
  // throws if the converter has failed, ended or been freed
  this.push(NOTHING);
  this[isPiped] = true;
  let output;
  let input;
  let isWanted = false;
  let whyGone;
  let goOn = () => {};
  const give = (bytes) => {
    if (bytes.length === 0) return;
    isWanted = false;
    output.enqueue(bytes);
  };
  const fail = (error) => {
    release(this);
    output.error(error);
    throw error;
  };
  const convert = (chunk) => {
    if (isFreed(this)) throw whyGone;
    try {
      give(this.push(chunk));
      // throws an error that was deferred until the preceding output was returned
      this.push(NOTHING);
    } catch (error) {
      fail(error);
    }
  };
  const end = () => {
    give(this.finish());
    this.finish();
    release(this);
    output.close();
  };
  const readable = new ReadableStream(
    {
      start: (controller) => {
        output = controller;
      },
      pull: () => {
        isWanted = true;
        goOn();
      },
      cancel: (reason) => {
        whyGone = reason;
        release(this);
        input.error(reason);
        goOn();
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream({
    start: (controller) => {
      input = controller;
    },
    write: (chunk) => {
      if (isWanted) return convert(chunk);
      return new Promise((resolve) => {
        goOn = resolve;
      }).then(() => convert(chunk));
    },
    close: () => {
      try {
        end();
      } catch (error) {
        fail(error);
      }
    },
    abort: (reason) => {
      try {
        end();
      } catch {
        // nothing has been received yet, so there is no stream to end
        release(this);
        output.error(reason);
      }
    },
  });
  return { readable, writable };
};

const NOTHING = new Uint8Array();

/** Frees a converter that gets no more input. Its warnings and results stay available. */
function release(converter) {
  if (isFreed(converter)) return;
  Object.defineProperty(converter, "warnings", { value: converter.warnings, enumerable: true });
  converter.free();
}

/** The events of a stream of bytes, of text or of an SDK's events. Returns the whole response at the end. */
export function streamEvents(source, options) {
  const reader = readStream(options);
  return eventStream((ends) => eventsOf(reader, source, ends), leftEarly);
}

const leftEarly = () =>
  new ToolwireError("stream_failed", "the events were not read to their end, so there is no whole response", "");

async function* eventsOf(reader, source, ends) {
  try {
    for await (const piece of piecesOf(source)) yield* reader.push(piece);
    yield* reader.end();
    const response = reader.finish();
    ends.resolve(response);
    return response;
  } catch (error) {
    ends.reject(error);
    throw error;
  } finally {
    reader.free();
  }
}

// Some browsers can't iterate over a ReadableStream.
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
