// The names of what the wasm imports end in hashes, which no compression makes shorter. Without them the names stay distinct: of
// those that would be the same, each after the first gets a number.

import { readFileSync, writeFileSync } from "node:fs";

const HASHED = /^(__wbg_\w+)_[0-9a-f]{16}$/;
const IMPORTS = 2;
const HEADER = 8;

/** Renames in the glue and in the wasm that it belongs to. */
export function shortenImportNames(glueFile, wasmFile) {
  const glue = readFileSync(glueFile, "utf8");
  const wasm = readFileSync(wasmFile);
  const names = shorterNames(
    WebAssembly.Module.imports(new WebAssembly.Module(wasm)).map(({ name }) => name),
    new Set(glue.match(/\b\w+\b/g)),
  );
  writeFileSync(
    glueFile,
    glue.replace(/\b__wbg_\w+\b/g, (name) => names.get(name) ?? name),
  );
  writeFileSync(wasmFile, renameImports(wasm, names));
}

/** A shorter name for each that has a hash, none of which is `taken`. */
export function shorterNames(imported, taken) {
  const names = new Map();
  const used = new Set(taken);
  for (const name of imported) {
    const [, stem] = name.match(HASHED) ?? [];
    if (stem === undefined || names.has(name)) continue;
    let shorter = stem;
    for (let number = 2; used.has(shorter); number++) shorter = `${stem}${number}`;
    used.add(shorter);
    names.set(name, shorter);
  }
  return names;
}

/** The same module, with other names for some of the functions that it imports. */
export function renameImports(wasm, names) {
  const parts = [wasm.subarray(0, HEADER)];
  for (let at = HEADER; at < wasm.length; ) {
    const size = numberAt(wasm, at + 1);
    const end = size.next + size.value;
    const section = wasm.subarray(size.next, end);
    parts.push(wasm[at] === IMPORTS ? sectionOf(IMPORTS, renamed(section, names)) : wasm.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function renamed(section, names) {
  const count = numberAt(section, 0);
  const parts = [section.subarray(0, count.next)];
  let at = count.next;
  for (let left = count.value; left > 0; left--) {
    const module = textAt(section, at);
    const name = textAt(section, module.next);
    if (section[name.next] !== 0) throw new Error(`expected imports of functions alone, found ${name.text}`);
    const type = numberAt(section, name.next + 1);
    const text = Buffer.from(names.get(name.text) ?? name.text);
    parts.push(section.subarray(at, module.next), number(text.length), text, section.subarray(name.next, type.next));
    at = type.next;
  }
  return Buffer.concat(parts);
}

function sectionOf(id, content) {
  return Buffer.concat([Buffer.from([id]), number(content.length), content]);
}

function textAt(bytes, at) {
  const length = numberAt(bytes, at);
  const next = length.next + length.value;
  return { text: bytes.toString("utf8", length.next, next), next };
}

/** LEB128, unsigned. */
function numberAt(bytes, at) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at };
  }
}

function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
}
