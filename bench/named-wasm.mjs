// Builds the wasm with function names and type parameters, which the published one lacks, to attribute functions to crates and modules.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { moduleNamed } from "../scripts/build/modules.mjs";
import { optimise } from "../scripts/build/wasm.mjs";
import { root } from "../scripts/lib/run.mjs";
import { whenChanged } from "../scripts/lib/stamps.mjs";

const fileOf = (name) => `build/named/${name}.wasm`;

/** The file for the conversions. */
export const namedWasm = fileOf("toolwire");

/** Returns the file. */
export async function buildNamedWasm(name = "toolwire") {
  const { glue, passes } = moduleNamed(name);
  const [compiled, named] = [`${glue}/${name}_bg.wasm`, fileOf(name)];
  await whenChanged({
    name: `wasm of ${name} with names`,
    inputs: [compiled, "scripts/build/wasm.mjs", "bench/named-wasm.mjs"],
    outputs: [named],
    build: () => {
      mkdirSync(join(root, dirname(named)), { recursive: true });
      optimise(compiled, named, { level: passes, more: ["-g"] });
    },
  });
  return named;
}
