// `npm run size`: prints the size of the package, raw and compressed, and the size of its wasm by section, crate and module.
// The wasm is built again with names for that, which `npm run size -- files` skips.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { measureCode, measureSize } from "../bench/size.mjs";
import { textOf } from "../bench/tables.mjs";
import { build } from "./build/all.mjs";
import { modules } from "./build/modules.mjs";
import { main, root } from "./lib/run.mjs";
import { filesBelow } from "./lib/stamps.mjs";

await main(async () => {
  await build();
  const isType = (file) => /^pkg\/dist\/.+\/.*\.d\.c?ts$/.test(file);
  const dist = filesBelow(["pkg/dist"]).filter((file) => !isType(file));
  const rows = [...modules.map(({ wasm }) => wasm), ...dist].map((file) => {
    const bytes = readFileSync(join(root, file));
    const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
    return [file, ...sizes.map((size) => size.toLocaleString("en"))];
  });
  console.log(`${textOf({ title: "bytes", columns: ["", "raw", "gzip", "brotli"], rows })}\n`);
  const sections = measureSize();
  if (!process.argv.includes("files")) sections.push(...(await measureCode()));
  for (const { tables } of sections) console.log(`${tables.map(textOf).join("\n\n")}\n`);
});
