// LZMA, as the wasm is packed. By its parts: the package's one entry brings its encoder along, three times the size of these.

import { Decoder } from "lzma1/lib/decoder.js";
import { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";

/** The decoder itself does not ask whether there is more, and might go on for ever. */
class Packed extends InputBuffer {
  override readByte(): number {
    const byte = super.readByte();
    if (byte < 0) throw new Error("the file is cut short");
    return byte;
  }
}

/** Throws if the bytes are no LZMA, or not all of it. */
export function unpack(packed: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const unpacked = new OutputBuffer(packed.byteLength * 3);
  new Decoder().decompress(new Packed(new Uint8Array(packed)), unpacked);
  return unpacked.toArray();
}
