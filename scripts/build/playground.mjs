// www/ + the package → build/playground/: static files that work from any path.

import { join } from "node:path";
import { root, run } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { wasmFile } from "./wasm.mjs";

export const site = "build/playground";

export async function buildPlayground() {
  await whenChanged("playground", {
    inputs: ["www", "pkg-template", "src/value/js", "build/generated", wasmFile, "package-lock.json"],
    outputs: [`${site}/index.html`, `${site}/service-worker.js`],
    build: () => {
      const vite = join(root, "node_modules/vite/bin/vite.js");
      run(process.execPath, [vite, "build", "--config", "www/vite.config.ts", "--logLevel", "warn"], { output: 2 });
    },
  });
}
