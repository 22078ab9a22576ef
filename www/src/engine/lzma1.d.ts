// The modules of `lzma1` that its manifest does not export. vite.config.ts has their paths.

declare module "lzma1/lib/decoder.js" {
  import type { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";
  export class Decoder {
    /** Throws if the input is not LZMA, but not if it is truncated. */
    decompress(input: InputBuffer, output: OutputBuffer): void;
  }
}

declare module "lzma1/lib/streams.js" {
  export class InputBuffer {
    constructor(bytes: Uint8Array);
    /** Returns -1 after the last byte. */
    readByte(): number;
  }
  export class OutputBuffer {
    /** Grows beyond its capacity if necessary. */
    constructor(capacity: number);
    toArray(): Uint8Array<ArrayBuffer>;
  }
}
