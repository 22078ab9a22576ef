// Decompresses the wasm, which is packed with LZMA. Imports modules of `lzma1`, whose main entry includes an encoder of three times the
// size.

import { Decoder } from "lzma1/lib/decoder.js";
import { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";

/** The most bytes that the header takes, or one step of the decoder. */
const longestStep = 32;

/** What has arrived and is not decoded yet. Throws at the end, because the decoder itself does not check for it and could run forever. */
class Packed extends InputBuffer {
  add(bytes: Uint8Array): void {
    const rest = this.buf.subarray(this.pos);
    this.buf = new Uint8Array(rest.length + bytes.length);
    this.buf.set(rest);
    this.buf.set(bytes, rest.length);
    [this.pos, this.count] = [0, this.buf.length];
  }

  override readByte(): number {
    const byte = super.readByte();
    if (byte < 0) throw new Error("the file is cut short");
    return byte;
  }
}

/** Decompresses a file while it arrives. */
class Unpacking {
  readonly #decoder = new Decoder();
  readonly #packed = new Packed(new Uint8Array());
  #isStarted = false;
  #isDone = false;

  /** What the bytes add to the file. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#packed.add(bytes);
    return this.#decode(longestStep, bytes.length * 4);
  }

  /** The rest. Throws if the bytes were not LZMA, or are truncated. */
  end(): Uint8Array<ArrayBuffer> {
    return this.#decode(0, longestStep);
  }

  #decode(least: number, capacity: number): Uint8Array<ArrayBuffer> {
    const unpacked = new OutputBuffer(capacity);
    const decoder = this.#decoder;
    if (!this.#isStarted && this.#packed.remaining >= least) {
      decoder.initDecompression(this.#packed, unpacked);
      this.#isStarted = true;
    }
    decoder.outWindow.stream = unpacked;
    while (this.#isStarted && !this.#isDone && this.#packed.remaining >= least) {
      const step = decoder.codeOneChunk();
      if (step < 0) throw new Error("corrupted input");
      this.#isDone = step > 0 || (decoder.outSize >= 0n && decoder.nowPos64 >= decoder.outSize);
    }
    decoder.flush();
    return unpacked.toArray();
  }
}

/** Throws if the bytes are not LZMA, or are truncated. */
export function unpack(packed: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const unpacking = new Unpacking();
  const [first, rest] = [unpacking.push(new Uint8Array(packed)), unpacking.end()];
  const whole = new Uint8Array(first.length + rest.length);
  whole.set(first);
  whole.set(rest, first.length);
  return whole;
}

/** Decompresses what passes through. */
export function unpacked(): TransformStream<Uint8Array, Uint8Array> {
  const unpacking = new Unpacking();
  return new TransformStream({
    transform: (bytes, controller) => controller.enqueue(unpacking.push(bytes)),
    flush: (controller) => controller.enqueue(unpacking.end()),
  });
}
