// www/ + the package → build/playground/: static files that work from any path.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { wasmFile } from "./wasm.mjs";

export const site = "build/playground";
const packed = `${wasmFile}.lzma`;
/** Of 1 to 9: what follows reaches further back, for which the wasm is too small. */
const compression = 5;

/** The package's wasm as the page fetches it: a sixth smaller than with gzip, which is all that many hosts of static files have. */
export async function packWasm() {
  await whenChanged("packed wasm", {
    inputs: [wasmFile, "package-lock.json", "scripts/build/playground.mjs"],
    outputs: [packed],
    build: async () => {
      // Not before npm has installed it: a bare checkout begins with these scripts.
      const { compress } = await import("lzma1");
      writeFileSync(join(root, packed), compress(readFileSync(join(root, wasmFile)), compression));
    },
  });
}

export async function buildPlayground() {
  await packWasm();
  await whenChanged("playground", {
    inputs: ["www", "pkg-template", "src/value/js", "build/generated", packed, "package-lock.json"],
    outputs: [`${site}/index.html`, `${site}/service-worker.js`],
    build: () => {
      const vite = join(root, "node_modules/vite/bin/vite.js");
      run(process.execPath, [vite, "build", "--config", "www/vite.config.ts", "--logLevel", "warn"], { output: 2 });
    },
  });
}
