// What the package weighs: what one entry loads, what its wasm is made of, and whose code that is.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { wasmFile } from "../scripts/build/wasm.mjs";
import { root } from "../scripts/lib/run.mjs";
import { buildNamedWasm, namedWasm } from "./named-wasm.mjs";
import { isForSmallValues, isProvider, moduleOf, ownersOf, readable } from "./owners.mjs";
import { aim, kB, noAim } from "./tables.mjs";
import { emptied, functionsOf, sectionsOf } from "./wasm-functions.mjs";

const dist = (...names) => names.map((name) => `pkg/dist/${name}`);
/** In kB of gzip. */
const most = 330;
const mostOfText = 90;
const mostOfToolkit = 120;
/** The files that are loaded, and the most that they may take. */
const entries = [
  [dist("index.js"), most],
  [dist("node.js", "toolwire.wasm"), most],
  [dist("index.cjs", "toolwire.wasm"), most],
  [dist("text/node.js", "text/text.wasm"), mostOfText],
  [dist("toolkit/index.js"), mostOfToolkit],
  [dist("toolkit/node.js", "toolkit/toolkit.wasm"), mostOfToolkit],
  [[wasmFile]],
];
const largest = 15;
const read = (file) => readFileSync(join(root, file));
const gzipOf = (bytes) => gzipSync(bytes, { level: 9 }).length;
const share = (part, whole) => `${((part / whole) * 100).toFixed(1)} %`;

/** What one entry loads, and the sections of the wasm. */
export function measureSize() {
  return [{ title: "Size", text: sizeText, tables: [entriesTable(), sectionsTable()], plots: [] }];
}

const sizeText = [
  "`index.js` is a single file with the wasm as base64. gzip does not undo that: it is why the target is missed there. The other",
  "entries load the same wasm as bytes. `toolwire/text` loads its files beside those of `toolwire`: it holds readers and writers of its own",
  "for JSON, tags and Python's literals, and the grammars, which are more than a third of it. In the wasm of `toolwire/toolkit`, the",
  "code that compiles, checks and explains schemas is the largest part, before JSON repair, the agent loop and the registry. The JavaScript",
  'keeps its names, for stack traces: shorter ones would save 6 kB gzip. `opt-level = "z"` for the toolkit would save 6 kB more.',
];

function entriesTable() {
  const rows = entries.map(([files, most]) => {
    const bytes = Buffer.concat(files.map(read));
    const gzip = gzipOf(bytes);
    const aims = most === undefined ? noAim : aim(`gzip ≤ ${most} kB`, gzip <= most * 1000);
    return [files.join(" + "), kB(bytes.length), kB(gzip), kB(brotliCompressSync(bytes).length), ...aims];
  });
  return { title: "what one entry loads", columns: ["", "raw", "gzip", "brotli", "target", ""], rows };
}

function sectionsTable() {
  const bytes = read(wasmFile);
  const rows = sectionsOf(bytes).map(([name, size]) => [name, kB(size), share(size, bytes.length)]);
  return { title: "sections of the wasm", columns: ["", "raw", "of all"], rows };
}

/** Whose code it is: by backend, by crate and module, and the largest functions. It needs a build of its own, with names. */
export async function measureCode() {
  await buildNamedWasm();
  const wasm = read(namedWasm);
  const inOrder = await functionsOf(wasm);
  const functions = inOrder.toSorted((a, b) => b.size - a.size);
  const all = functions.reduce((sum, { size }) => sum + size, 0);
  const tables = Object.entries(ownersOf(functions)).map(([title, owners]) => {
    const sorted = [...owners].sort((a, b) => b[1].size - a[1].size);
    const rows = sorted.map(([owner, { size, count }]) => [owner, kB(size), share(size, all), String(count)]);
    return { title, columns: ["", "raw", "of the code", "functions"], rows, isLong: rows.length > largest };
  });
  const rows = functions.slice(0, largest).map(({ name, size }) => [readable(name), kB(size), share(size, all)]);
  tables.push({ title: `the ${largest} largest functions`, columns: ["", "raw", "of the code"], rows });
  return [{ title: "Code", text, tables: [partsTable(wasm, inOrder), ...tables], plots: [] }];
}

const text = [
  "Functions by their names, in a build that has names and is the same otherwise. The gzip size of a part is measured with the same wasm with",
  `nothing in the functions of that part: where it is above ${most} kB without any provider's dialect, no provider can make up for it.`,
];

/** What the wasm would weigh without one part, for those that weigh most. */
function partsTable(wasm, functions) {
  const gzipWithout = (isGone) => gzipOf(emptied(wasm, (index) => isGone(functions[index].name)));
  const all = gzipWithout(() => false);
  const modules = [...new Set(functions.map(({ name }) => moduleOf(name)))];
  const without = (part, isGone) => [part, gzipWithout((name) => isGone(moduleOf(name)))];
  const parts = modules.map((module) => without(module, (other) => other === module)).sort((a, b) => a[1] - b[1]);
  const smallValues = gzipWithout(isForSmallValues);
  const rows = [
    ...parts.slice(0, largest),
    without("the dialects of all providers", isProvider),
    ["options, contexts, warnings and errors by way of serde", smallValues],
  ];
  return {
    title: "gzip of the wasm without a part",
    columns: ["without", "gzip", "less"],
    rows: [["nothing", kB(all), ""], ...rows.map(([part, gzip]) => [part, kB(gzip), kB(all - gzip)])],
  };
}
