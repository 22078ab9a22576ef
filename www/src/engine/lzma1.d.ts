// The parts of the package that its manifest leaves out of what can be imported: vite.config.ts says where they are.

declare module "lzma1/lib/decoder.js" {
  import type { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";
  export class Decoder {
    /** Throws if the input is no LZMA, but not where it is cut short. */
    decompress(input: InputBuffer, output: OutputBuffer): void;
  }
}

declare module "lzma1/lib/streams.js" {
  export class InputBuffer {
    constructor(bytes: Uint8Array);
    /** -1 after the last. */
    readByte(): number;
  }
  export class OutputBuffer {
    /** Grows beyond its capacity where it must. */
    constructor(capacity: number);
    toArray(): Uint8Array<ArrayBuffer>;
  }
}
