// Reads the sections and function bodies of a wasm file. Binaryen has no access to them: it re-encodes functions when it writes a module.

export const CUSTOM = 0;
export const CODE = 10;
export const HEADER = 8;

/** `[{ id, whole, content }]`: the bytes of each section, with and without its header. */
export function sectionsIn(bytes) {
  const sections = [];
  for (let at = HEADER; at < bytes.length; ) {
    const { start, end } = sizedAt(bytes, at + 1);
    sections.push({ id: bytes[at], whole: bytes.subarray(at, end), content: bytes.subarray(start, end) });
    at = end;
  }
  return sections;
}

/** `[{ size, whole }]` for each function: the length of its body, and the bytes of the body including its length prefix. */
export function bodiesIn(code) {
  const bodies = [];
  for (let at = numberAt(code, 0).next; at < code.length; ) {
    const { start, end } = sizedAt(code, at);
    bodies.push({ size: end - start, whole: code.subarray(at, end) });
    at = end;
  }
  return bodies;
}

/** The start and the end of content with a length prefix. */
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
