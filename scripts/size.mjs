// `npm run size`: what the package weighs, raw and compressed.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "./build/all.mjs";
import { wasmFile } from "./build/wasm.mjs";
import { main, root } from "./lib/run.mjs";

await main(async () => {
  await build();
  const dist = readdirSync(join(root, "pkg/dist")).sort();
  const rows = [wasmFile, ...dist.map((name) => `pkg/dist/${name}`)].map((file) => {
    const bytes = readFileSync(join(root, file));
    return [file, bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  });
  const line = ([name, ...numbers]) => name.padEnd(28) + numbers.map((number) => String(number).padStart(11)).join("");
  console.log(line(["bytes", "raw", "gzip", "brotli"]));
  for (const row of rows) console.log(line(row));
});
