// What the package weighs: what one entry loads, and whose code the wasm is.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { wasmFile } from "../scripts/build/wasm.mjs";
import { root } from "../scripts/lib/run.mjs";
import { buildNamedWasm, namedWasm } from "./named-wasm.mjs";
import { print, verdict } from "./print.mjs";
import { bytesOutsideCode, functionsOf } from "./wasm-functions.mjs";

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

export function reportSize() {
  print(["what one entry loads", "raw", "gzip", "brotli", "target", ""]);
  for (const [file, target] of [["pkg/dist/index.js", 150], ["pkg/dist/index.cjs", 150], [wasmFile]]) {
    const bytes = readFileSync(join(root, file));
    const gzip = gzipSync(bytes, { level: 9 }).length;
    const aim = target === undefined ? ["", ""] : [`gzip ≤ ${target} kB`, verdict(gzip <= target * 1000)];
    print([file, kB(bytes.length), kB(gzip), kB(brotliCompressSync(bytes).length), ...aim]);
  }
}

// The entry of each backend is not generic, but what was inlined into it is.
const owners = [
  ["text backend", (name) => /\bvalue::text\b|\bconvert::convert_text\b/.test(name)],
  ["js backend", (name) => /\bvalue::js\b|\bcall::by_reference\b/.test(name)],
  ["shared (not generic)", (name) => /\btoolwire\b/.test(name)],
  ["libraries", () => true],
];
const largest = 10;

export async function reportBackends() {
  await buildNamedWasm();
  const bytes = readFileSync(join(root, namedWasm));
  const sums = new Map(owners.map(([owner]) => [owner, { size: 0, count: 0 }]));
  const functions = functionsOf(bytes);
  for (const { name, size } of functions) {
    const sum = sums.get(owners.find(([, owns]) => owns(name))[0]);
    sum.size += size;
    sum.count += 1;
  }
  const { data, rest } = bytesOutsideCode(bytes);
  print(["code of the wasm", "raw", "functions"]);
  for (const [owner, { size, count }] of sums) print([owner, kB(size), String(count)]);
  print(["static data", kB(data), ""]);
  print(["types, tables, exports", kB(rest), ""]);

  console.log(`\n  the ${largest} largest functions`);
  functions.sort((a, b) => b.size - a.size);
  for (const { name, size } of functions.slice(0, largest)) console.log(`  ${kB(size).padStart(9)}  ${readable(name)}`);
}

/** Without the hashes of crates. */
function readable(name) {
  return name.replace(/\[[0-9a-f]{8,}\]/g, "").slice(0, 120);
}
