// Reads the sections of a wasm file, and its functions with their names and sizes. Binaryen reads the names, but gives no sizes of
// sections, counts the bytes of functions only in a pass of minutes (`--func-metrics`), and writes a file that differs from its input (by
// 0.3 % in size). Therefore sizes are read from the file itself.

import { bodiesIn, CODE, CUSTOM, HEADER, leb128, sectionsIn, sizedAt } from "../scripts/lib/wasm-format.mjs";

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

/** The same wasm without custom sections, and with empty bodies for some functions, by their index in `functionsOf`. */
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

/** `[name, bytes]` of every section including its header, in the order of the file. Sections with the same name are added up. */
export function sectionsOf(bytes) {
  const sections = new Map();
  for (const { id, whole, content } of sectionsIn(bytes)) {
    const name = id === CUSTOM ? `custom: ${textIn(content)}` : (sectionNames[id] ?? `section ${id}`);
    sections.set(name, (sections.get(name) ?? 0) + whole.length);
  }
  return [...sections];
}

function textIn(bytes) {
  const { start, end } = sizedAt(bytes, 0);
  return new TextDecoder().decode(bytes.subarray(start, end));
}
