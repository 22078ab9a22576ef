// The size of the package: of the files of each entry, of the sections of its wasm, and of the code by crate and module.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { moduleNamed, modules } from "../scripts/build/modules.mjs";
import { root } from "../scripts/lib/run.mjs";
import { buildNamedWasm } from "./named-wasm.mjs";
import { isForSmallValues, isProvider, moduleOf, ownersOf, plain, readable } from "./owners.mjs";
import { aim, kB, noAim } from "./tables.mjs";
import { emptied, functionsOf, sectionsOf } from "./wasm-functions.mjs";

const dist = (...names) => names.map((name) => `pkg/dist/${name}`);
/** Maximum in kB (gzip). */
const most = 330;
/** Including the grammars; 90 without them. */
const mostOfText = 120;
const mostOfToolkit = 175;
const mostOfCommon = 320;
/** Beyond `toolwire`. */
const mostOfGateway = 14;
/** The files of each entry, and their maximum size. */
const entries = [
  [dist("index.js"), most],
  [dist("node.js", "toolwire.wasm"), most],
  [dist("index.cjs", "toolwire.wasm"), most],
  [dist("common/node.js", "common/common.wasm"), mostOfCommon],
  [dist("text/node.js", "text/text.wasm"), mostOfText],
  [dist("gateway/node.js"), mostOfGateway],
  [dist("gateway/more/node.js")],
  [dist("toolkit/index.js"), mostOfToolkit],
  [dist("toolkit/node.js", "toolkit/toolkit.wasm"), mostOfToolkit],
  [[moduleNamed("toolwire").wasm]],
];
const largest = 15;
const read = (file) => readFileSync(join(root, file));
const gzipOf = (bytes) => gzipSync(bytes, { level: 9 }).length;
const share = (part, whole) => `${((part / whole) * 100).toFixed(1)} %`;

/** The size of the files of each entry, and of the sections of the wasm. */
export function measureSize() {
  return [{ title: "Size", text: sizeText, tables: [entriesTable(), ...modules.map(sectionsTable)], plots: [] }];
}

const sizeText = [
  "`index.js` is a single file with the wasm in a string: it is larger by that. The other entries load the same wasm",
  "as bytes. `toolwire/text`, `toolwire/toolkit` and `toolwire/gateway` load their files beside those of `toolwire`; the gateway those in `more`",
  "only with the first request that needs them.",
  'Both are compiled for size (`opt-level = "z"`, and nothing is inlined that costs bytes). The table',
  "`gzip of toolkit.wasm without a part` shows where its size comes from: its largest part is JSON Schema, of which",
  "patterns in linear time are a quarter, and the libraries of Rust, mostly generic code for its collections, are another third. Further passes",
  "of wasm-opt (merging similar functions, propagating constants, assuming that loads don't fail) and other orders of the functions change it",
  "by less than 0.3 %. The JavaScript is compressed by terser. Functions and classes keep their names, for stack traces: that costs 2 kB in",
  "the toolkit. The functions of a wasm file are in an order that compresses better.",
  "The largest parts of `text.wasm` are reading and grammars, 65 and 43 kB (gzip); the libraries of Rust are 35 kB. The tables of formats are",
  "61 kB of data. Compiled for speed (`-O3`), it takes 53 kB more (gzip); 1 MB of calls in `qwen3_xml` are then read in 0.68 × the time, and",
  "calls in JSON in 0.75 ×. Its",
  "size counts more: most programs load it to read some kB.",
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

function sectionsTable({ name, wasm }) {
  const bytes = read(wasm);
  const rows = sectionsOf(bytes).map(([section, size]) => [section, kB(size), share(size, bytes.length)]);
  return { title: `sections of ${name}.wasm`, columns: ["", "raw", "of all"], rows };
}

/** The size of the code in each wasm: by backend, by crate and module, and of the largest functions. It needs builds with names. */
export async function measureCode() {
  const tables = [];
  for (const { name } of modules) tables.push(...(await tablesOfCode(name)));
  return [{ title: "Code", text, tables, plots: [] }];
}

async function tablesOfCode(module) {
  const wasm = read(await buildNamedWasm(module));
  const inOrder = await functionsOf(wasm);
  const functions = inOrder.toSorted((a, b) => b.size - a.size);
  const all = functions.reduce((sum, { size }) => sum + size, 0);
  const { "code by backend": byBackend, ...others } = ownersOf(functions);
  // only the wasm of the conversions has backends
  const owners = module === "toolwire" ? { "code by backend": byBackend, ...others } : others;
  const tables = Object.entries(owners).map(([title, owners]) => {
    const sorted = [...owners].sort((a, b) => b[1].size - a[1].size);
    const rows = sorted.map(([owner, { size, count }]) => [owner, kB(size), share(size, all), String(count)]);
    const columns = ["", "raw", "of the code", "functions"];
    return { title: `${module}.wasm, ${title}`, columns, rows, isLong: rows.length > largest };
  });
  const rows = functions.slice(0, largest).map(({ name, size }) => [readable(name), kB(size), share(size, all)]);
  const columns = ["", "raw", "of the code"];
  const isLong = module !== "toolwire";
  tables.push({ title: `${module}.wasm, the ${largest} largest functions`, columns, rows, isLong });
  return [partsTable(module, wasm, inOrder), ...tables];
}

const text = [
  "Functions by their names, in a build that has names and is the same otherwise, except that its functions are sorted by name. The gzip size",
  `of a part is measured with the same wasm with nothing in the functions of that part: where it is above ${most} kB without any provider's`,
  "dialect, no provider can make up for it.",
];

const isLibrary = (part) => !/\btoolwire\b/.test(part) && part !== plain;

/** The size of the wasm without one part, for the largest parts. */
function partsTable(module, wasm, functions) {
  const gzipWithout = (isGone) => gzipOf(emptied(wasm, (index) => isGone(functions[index].name)));
  const all = gzipWithout(() => false);
  const names = [...new Set(functions.map(({ name }) => moduleOf(name)))];
  const without = (part, isGone) => [part, gzipWithout((name) => isGone(moduleOf(name)))];
  const parts = names.map((part) => without(part, (other) => other === part)).sort((a, b) => a[1] - b[1]);
  const rows = [...parts.slice(0, largest), ["the libraries of Rust, all", gzipWithout(isLibrary)]];
  if (module === "toolwire") {
    rows.push(without("the dialects of all providers", isProvider));
    rows.push(["options, contexts, warnings and errors by way of serde", gzipWithout(isForSmallValues)]);
  }
  return {
    title: `gzip of ${module}.wasm without a part`,
    columns: ["without", "gzip", "less"],
    rows: [["nothing", kB(all), ""], ...rows.map(([part, gzip]) => [part, kB(gzip), kB(all - gzip)])],
  };
}
