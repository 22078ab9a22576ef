// The memory that JavaScript shares with one wasm instance, and the transfer of strings and bytes.

/** Up to these lengths, a loop copies ASCII faster than the engine's encoder and decoder. */
const SHORT_ENCODED = 24;
const SHORT_DECODED = 10;
/** In bytes. */
const LONG_COPY = 16_384;

/** A copy of a part of the memory. */
export function copied(memory, pointer, length) {
  // slower for short copies; faster for long ones, because their memory is not filled with zeros first
  if (length < LONG_COPY) return memory.slice(pointer, pointer + length);
  return new Uint8Array(memory.subarray(pointer, pointer + length));
}

export class Host {
  constructor(memory, scratch, capacity) {
    this.memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.cells = new Uint32Array(memory.buffer);
    // the start of the scratch area, in units of four bytes
    this.scratch = scratch >>> 2;
    this.capacity = capacity;
    this.double = new Float64Array(1);
    this.halves = new Uint32Array(this.double.buffer);
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    // Node's Buffer decodes UTF-16 six times as fast as TextDecoder; polyfills do not
    this.hasBuffer = typeof globalThis.Buffer?.prototype?.ucs2Slice === "function";
    this.unitDecoder = undefined;
    this.taken = 0;
  }

  // a view has length 0 once the memory has grown
  cellsView() {
    if (this.cells.length === 0) this.cells = new Uint32Array(this.memory.buffer);
    return this.cells;
  }

  memoryView() {
    if (this.bytes.length === 0) this.bytes = new Uint8Array(this.memory.buffer);
    return this.bytes;
  }

  doubleOf(low, high) {
    this.halves[0] = low;
    this.halves[1] = high;
    return this.double[0];
  }

  // Writes the string from the unit `from` on as UTF-8. Returns the number of bytes written, or −1 − that number if the capacity was
  // insufficient. In that case, `taken` is the unit to continue at.
  encode(text, from, pointer, capacity) {
    const bytes = this.memoryView();
    const length = text.length;
    let at = from;
    if (length - from <= SHORT_ENCODED && length - from <= capacity) {
      for (; at < length; at++) {
        const unit = text.charCodeAt(at);
        if (unit > 127) break;
        bytes[pointer + at - from] = unit;
      }
      if (at === length) return length - from;
    }
    const copied = at - from;
    const rest = at === 0 ? text : text.substring(at);
    const { read, written } = this.encoder.encodeInto(rest, bytes.subarray(pointer + copied, pointer + capacity));
    if (read === rest.length) return copied + written;
    this.taken = at + read;
    return -1 - copied - written;
  }

  decode(pointer, length) {
    const bytes = this.memoryView();
    if (length <= SHORT_DECODED) {
      let text = "";
      let at = pointer;
      for (; at < pointer + length; at++) {
        const byte = bytes[at];
        if (byte > 127) break;
        text += String.fromCharCode(byte);
      }
      if (at === pointer + length) return text;
    }
    return this.decoder.decode(bytes.subarray(pointer, pointer + length));
  }

  /** Decodes UTF-16. `length` is in units. */
  decodeUnits(pointer, length) {
    return this.decodeWide(this.memoryView().subarray(pointer, pointer + 2 * length));
  }

  decodeWide(bytes) {
    if (!this.hasBuffer) {
      this.unitDecoder ??= new TextDecoder("utf-16le", { ignoreBOM: true });
      return this.unitDecoder.decode(bytes);
    }
    return globalThis.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf16le");
  }

  // A long text is copied in pieces, so that wasm memory never contains all of it.
  open(capacity) {
    this.parcel = new Uint8Array(capacity);
    this.filled = 0;
  }

  add(pointer, length) {
    this.parcel.set(this.memoryView().subarray(pointer, pointer + length), this.filled);
    this.filled += length;
  }

  /** Returns everything that was added. */
  close() {
    const { parcel, filled } = this;
    this.parcel = undefined;
    return filled === parcel.length ? parcel : parcel.subarray(0, filled);
  }

  closeText() {
    return this.decoder.decode(this.close());
  }

  closeUnits() {
    return this.decodeWide(this.close());
  }

  copyIn(array, pointer) {
    this.memoryView().set(array, pointer);
  }

  copyOut(pointer, length) {
    return copied(this.memoryView(), pointer, length);
  }
}
