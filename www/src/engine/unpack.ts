// LZMA, as the wasm is packed. By its parts: the package's one entry brings its encoder along, three times the size of these.

import { Decoder } from "lzma1/lib/decoder.js";
import { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";

/** Throws if the bytes are no LZMA. */
export function unpack(packed: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const unpacked = new OutputBuffer(packed.byteLength * 3);
  new Decoder().decompress(new InputBuffer(new Uint8Array(packed)), unpacked);
  return unpacked.toArray();
}
