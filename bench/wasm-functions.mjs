// What a wasm file is made of: its sections, and its functions with their names and sizes. binaryen reads the names, but it gives no
// section's size, counts each function's bytes only in a pass of minutes (`--func-metrics`), and writes another file than it read
// (0.3 % larger): sizes are counted here, in the file itself.

const CUSTOM = 0;
const CODE = 10;
const HEADER = 8;

/** `[{ name, size }]` of every function with a body. */
export async function functionsOf(bytes) {
  const names = await namesOf(bytes);
  const code = sectionsIn(bytes).find(({ id }) => id === CODE);
  return bodiesIn(code.content).map(({ size }, index) => ({ name: names[index], size }));
}

async function namesOf(bytes) {
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.readBinary(bytes);
  const all = Array.from({ length: module.getNumFunctions() }, (_, index) => module.getFunctionByIndex(index));
  const names = all.map((ref) => binaryen.getFunctionInfo(ref)).flatMap(({ name, body }) => (body ? [name] : []));
  module.dispose();
  return names;
}

/** The same wasm without custom sections, and with nothing in the functions that are gone, by their place in `functionsOf`. */
export function emptied(bytes, isGone) {
  const parts = sectionsIn(bytes).flatMap(({ id, whole, content }) => {
    if (id === CUSTOM) return [];
    return [id === CODE ? emptiedCode(content, isGone) : whole];
  });
  return Buffer.concat([bytes.subarray(0, HEADER), ...parts]);
}

const unreachable = Uint8Array.of(3, 0, 0, 0x0b);

function emptiedCode(code, isGone) {
  const bodies = bodiesIn(code).map(({ whole }, index) => (isGone(index) ? unreachable : whole));
  const content = Buffer.concat([leb128(bodies.length), ...bodies]);
  return Buffer.concat([Uint8Array.of(CODE), leb128(content.length), content]);
}

const sectionNames = [
  "custom",
  "types",
  "imports",
  "functions",
  "tables",
  "memories",
  "globals",
  "exports",
  "start",
  "elements",
  "code",
  "data",
  "data count",
  "tags",
];

/** `[name, bytes]` of every section with its head, in the order of the file. Those of one name are added up. */
export function sectionsOf(bytes) {
  const sections = new Map();
  for (const { id, whole, content } of sectionsIn(bytes)) {
    const name = id === CUSTOM ? `custom: ${textIn(content)}` : (sectionNames[id] ?? `section ${id}`);
    sections.set(name, (sections.get(name) ?? 0) + whole.length);
  }
  return [...sections];
}

/** `[{ id, whole, content }]`: the bytes of each section, with its head and without. */
function sectionsIn(bytes) {
  const sections = [];
  for (let at = HEADER; at < bytes.length; ) {
    const { start, end } = sizedAt(bytes, at + 1);
    sections.push({ id: bytes[at], whole: bytes.subarray(at, end), content: bytes.subarray(start, end) });
    at = end;
  }
  return sections;
}

/** `[{ size, whole }]`: the bytes of each function's body, counted without the size before it, and with it. */
function bodiesIn(code) {
  const bodies = [];
  for (let at = numberAt(code, 0).next; at < code.length; ) {
    const { start, end } = sizedAt(code, at);
    bodies.push({ size: end - start, whole: code.subarray(at, end) });
    at = end;
  }
  return bodies;
}

function textIn(bytes) {
  const { start, end } = sizedAt(bytes, 0);
  return new TextDecoder().decode(bytes.subarray(start, end));
}

/** Where the content begins and ends that has its size before it. */
function sizedAt(bytes, at) {
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

function leb128(value) {
  const bytes = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return Uint8Array.from([...bytes, left]);
    bytes.push((left & 127) | 128);
  }
}
