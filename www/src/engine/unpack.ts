// Decompresses the wasm, which is packed with LZMA. Imports modules of `lzma1`, whose main entry includes an encoder of three times the
// size.

import { Decoder } from "lzma1/lib/decoder.js";
import { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";

/** Throws at the end of the input, because the decoder itself does not check for it and could run forever. */
class Packed extends InputBuffer {
  override readByte(): number {
    const byte = super.readByte();
    if (byte < 0) throw new Error("the file is cut short");
    return byte;
  }
}

/** Throws if the bytes are not LZMA, or are truncated. */
export function unpack(packed: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const unpacked = new OutputBuffer(packed.byteLength * 3);
  new Decoder().decompress(new Packed(new Uint8Array(packed)), unpacked);
  return unpacked.toArray();
}
