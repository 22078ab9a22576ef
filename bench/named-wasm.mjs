// The shipped wasm has no function names. This one has, with type parameters, so that it can tell whose code is whose:
// the same source, the same optimiser, other symbol names.

import { join } from "node:path";
import { optimise } from "../scripts/build/wasm.mjs";
import { locked, root, run } from "../scripts/lib/run.mjs";
import { bindgen } from "../scripts/lib/setup.mjs";
import { whenChanged } from "../scripts/lib/stamps.mjs";

const folder = "build/named";
export const namedWasm = `${folder}/toolwire.wasm`;

// Cargo adds these to the flags in .cargo/config.toml.
const flags = '["-C", "symbol-mangling-version=v0"]';

export async function buildNamedWasm() {
  await whenChanged("wasm with names (for the sizes by backend)", {
    inputs: [
      "src",
      "build.rs",
      "Cargo.toml",
      "Cargo.lock",
      ".cargo/config.toml",
      "rust-toolchain.toml",
      "scripts/build/wasm.mjs",
      "bench/named-wasm.mjs",
    ],
    outputs: [namedWasm],
    build: () => {
      const target = ["--target", "wasm32-unknown-unknown", "--target-dir", "target/named"];
      const config = ["--config", `target.wasm32-unknown-unknown.rustflags=${flags}`];
      run("cargo", ["build", "--release", ...target, ...config, ...locked], { output: 2 });
      const compiled = "target/named/wasm32-unknown-unknown/release/toolwire.wasm";
      run(join(root, bindgen), ["--target", "bundler", "--out-dir", folder, compiled], { output: 2 });
      optimise(`${folder}/toolwire_bg.wasm`, namedWasm, "-g");
    },
  });
}
