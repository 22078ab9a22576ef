// `npm run size`: what the package weighs, raw and compressed; what its wasm is made of, and whose code that is.
// The latter takes a build of its own; `npm run size -- files` leaves it out.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { measureCode, measureSize } from "../bench/size.mjs";
import { textOf } from "../bench/tables.mjs";
import { build } from "./build/all.mjs";
import { wasmFile } from "./build/wasm.mjs";
import { main, root } from "./lib/run.mjs";

await main(async () => {
  await build();
  const dist = readdirSync(join(root, "pkg/dist")).sort();
  const rows = [wasmFile, ...dist.map((name) => `pkg/dist/${name}`)].map((file) => {
    const bytes = readFileSync(join(root, file));
    const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
    return [file, ...sizes.map((size) => size.toLocaleString("en"))];
  });
  console.log(`${textOf({ title: "bytes", columns: ["", "raw", "gzip", "brotli"], rows })}\n`);
  const sections = measureSize();
  if (!process.argv.includes("files")) sections.push(...(await measureCode()));
  for (const { tables } of sections) console.log(`${tables.map(textOf).join("\n\n")}\n`);
});
