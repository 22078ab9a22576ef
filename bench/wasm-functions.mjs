// Reads function sizes and names out of a wasm file (sections 2, 10 and the name section).

/** `[{ name, size }]` of every function with a body. */
export function functionsOf(bytes) {
  const reader = new Reader(bytes, 8);
  let imported = 0;
  let sizes = [];
  let names = new Map();
  while (!reader.atEnd()) {
    const id = reader.byte();
    const section = reader.part(reader.number());
    if (id === 2) imported = countFunctionImports(section);
    else if (id === 10) sizes = bodySizes(section);
    else if (id === 0 && section.text() === "name") names = functionNames(section);
  }
  return sizes.map((size, index) => ({ size, name: names.get(imported + index) ?? "" }));
}

/** The same wasm with nothing in the functions whose names are told to be gone, and without custom sections. */
export function emptied(bytes, isGone) {
  const gone = functionsOf(bytes).map(({ name }) => isGone(name));
  const reader = new Reader(bytes, 8);
  const parts = [bytes.subarray(0, 8)];
  while (!reader.atEnd()) {
    const start = reader.position();
    const id = reader.byte();
    const section = reader.part(reader.number());
    if (id === 10) parts.push(codeSection(section, gone));
    else if (id !== 0) parts.push(bytes.subarray(start, reader.position()));
  }
  return Buffer.concat(parts);
}

const unreachable = Uint8Array.of(3, 0, 0, 0x0b);

function codeSection(section, gone) {
  const count = section.number();
  const bodies = gone.map((isGone) => {
    const start = section.position();
    section.part(section.number());
    return isGone ? unreachable : section.since(start);
  });
  const content = Buffer.concat([leb128(count), ...bodies]);
  return Buffer.concat([Uint8Array.of(10), leb128(content.length), content]);
}

function leb128(value) {
  const bytes = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return Uint8Array.from([...bytes, left]);
    bytes.push((left & 127) | 128);
  }
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
  const reader = new Reader(bytes, 8);
  const sections = new Map();
  while (!reader.atEnd()) {
    const start = reader.position();
    const id = reader.byte();
    const section = reader.part(reader.number());
    const name = id === 0 ? `custom: ${section.text()}` : (sectionNames[id] ?? `section ${id}`);
    sections.set(name, (sections.get(name) ?? 0) + reader.position() - start);
  }
  return [...sections];
}

function countFunctionImports(section) {
  let count = 0;
  for (let left = section.number(); left > 0; left--) {
    section.text();
    section.text();
    const kind = section.byte();
    if (kind === 0) {
      section.number();
      count += 1;
    } else if (kind === 1) {
      section.byte();
      skipLimits(section);
    } else if (kind === 2) {
      skipLimits(section);
    } else {
      section.byte();
      section.byte();
    }
  }
  return count;
}

function skipLimits(section) {
  const flags = section.byte();
  section.number();
  if (flags & 1) section.number();
}

function bodySizes(section) {
  return Array.from({ length: section.number() }, () => {
    const size = section.number();
    section.part(size);
    return size;
  });
}

function functionNames(section) {
  const names = new Map();
  while (!section.atEnd()) {
    const id = section.byte();
    const part = section.part(section.number());
    if (id !== 1) continue;
    for (let left = part.number(); left > 0; left--) names.set(part.number(), part.text());
  }
  return names;
}

class Reader {
  #bytes;
  #at;

  constructor(bytes, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  atEnd() {
    return this.#at >= this.#bytes.length;
  }

  position() {
    return this.#at;
  }

  since(start) {
    return this.#bytes.subarray(start, this.#at);
  }

  byte() {
    return this.#bytes[this.#at++];
  }

  /** LEB128, unsigned. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  part(length) {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return new Reader(part);
  }

  text() {
    return new TextDecoder().decode(this.part(this.number()).#bytes);
  }
}
