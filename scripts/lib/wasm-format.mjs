// The binary format of wasm: sections, the functions in the code section, and numbers.

export const CUSTOM = 0;
export const CODE = 10;
export const HEADER = 8;

/** `[{ id, whole, content }]`: the bytes of each section, with its head and without. */
export function sectionsIn(bytes) {
  const sections = [];
  for (let at = HEADER; at < bytes.length; ) {
    const { start, end } = sizedAt(bytes, at + 1);
    sections.push({ id: bytes[at], whole: bytes.subarray(at, end), content: bytes.subarray(start, end) });
    at = end;
  }
  return sections;
}

/** `[{ size, whole }]`: the bytes of each function's body, counted without the size before it, and with it. */
export function bodiesIn(code) {
  const bodies = [];
  for (let at = numberAt(code, 0).next; at < code.length; ) {
    const { start, end } = sizedAt(code, at);
    bodies.push({ size: end - start, whole: code.subarray(at, end) });
    at = end;
  }
  return bodies;
}

/** Where the content begins and ends that has its size before it. */
export function sizedAt(bytes, at) {
  const { value, next } = numberAt(bytes, at);
  return { start: next, end: next + value };
}

/** LEB128, unsigned. */
function numberAt(bytes, at) {
  let value = 0;
  for (let factor = 1, next = at; ; factor *= 128) {
    const byte = bytes[next++];
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next };
  }
}

/** LEB128, unsigned. */
export function leb128(value) {
  const bytes = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return Uint8Array.from([...bytes, left]);
    bytes.push((left & 127) | 128);
  }
}
