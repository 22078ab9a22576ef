// The shipped wasm has no function names. This one has, with type parameters, so that it can tell whose code is whose.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { glueFolder, optimise } from "../scripts/build/wasm.mjs";
import { root } from "../scripts/lib/run.mjs";
import { whenChanged } from "../scripts/lib/stamps.mjs";

const compiled = `${glueFolder}/toolwire_bg.wasm`;
export const namedWasm = "build/named/toolwire.wasm";

export async function buildNamedWasm() {
  await whenChanged("wasm with names (for the sizes by backend)", {
    inputs: [compiled, "scripts/build/wasm.mjs", "bench/named-wasm.mjs"],
    outputs: [namedWasm],
    build: () => {
      mkdirSync(join(root, dirname(namedWasm)), { recursive: true });
      optimise(compiled, namedWasm, { more: ["-g"] });
    },
  });
}
