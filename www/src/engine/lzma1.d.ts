// The modules of `lzma1` that its manifest does not export. vite.config.ts has their paths.

declare module "lzma1/lib/decoder.js" {
  import type { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";
  export class Decoder {
    outWindow: { stream: OutputBuffer | null };
    /** The length of the output that the header states; negative if it states none. */
    outSize: bigint;
    /** The length of the output so far. */
    nowPos64: bigint;
    /** Reads the header. Throws if it is none. */
    initDecompression(input: InputBuffer, output: OutputBuffer): void;
    /** Decodes one byte or repetition. Negative if the input is not LZMA, positive at a mark of its end. */
    codeOneChunk(): number;
    /** Writes what was decoded to the output. */
    flush(): void;
  }
}

declare module "lzma1/lib/streams.js" {
  export class InputBuffer {
    buf: Uint8Array;
    pos: number;
    count: number;
    readonly remaining: number;
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
