// The API reference of the three entry points, by typedoc.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";

const typedoc = join(root, "tools/api-docs");

/** Writes build/docs/typescript/ from the built package, and returns its path. */
export async function buildReference() {
  await whenChanged({
    name: "typedoc",
    inputs: ["tools/api-docs/package.json", "tools/api-docs/package-lock.json"],
    outputs: ["tools/api-docs/node_modules"],
    stamp: "tools/api-docs/node_modules/.toolwire-stamp",
    build: () => run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: typedoc, output: 2 }),
  });
  const out = join(root, "build/docs/typescript");
  rmSync(out, { recursive: true, force: true });
  run(join(typedoc, "node_modules/.bin/typedoc"), ["--options", "typedoc.json"], { cwd: typedoc });
  return out;
}
