// Rust source → wasm → wasm-bindgen glue → optimised wasm.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { locked, root, run } from "../lib/run.mjs";
import { bindgen } from "../lib/setup.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { shortenImportNames } from "./import-names.mjs";

const conversions = ["--no-default-features", "--features", "conversions"];
const target = ["--target", "wasm32-unknown-unknown"];
const compiled = "target/wasm32-unknown-unknown/release/toolwire.wasm";
/** What wasm-bindgen makes: the wasm, its JavaScript glue, the snippets that Rust imports, the types. */
export const glueFolder = "build/glue";
export const wasmFile = "build/toolwire_bg.wasm";

// What rustc emits for this target, and simd128 from .cargo/config.toml.
export const wasmFeatures = [
  "bulk-memory",
  "multivalue",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
  "simd",
].map((feature) => `--enable-${feature}`);

/**
 * The lowest memory is the end of the stack, so an address below 1,024 comes from no sum that wrapped around. Values that are
 * computed twice cost fewer bytes than the locals that would hold them.
 * Large functions stay functions, also those that are called in one place only: engines compile them if they are called.
 * In the order of their names those of one module stand together, and are alike: gzip looks back no further than 32 kB.
 * No engine asks how far an address is aligned, and what says nothing packs better. What the compiler was is not to be shipped.
 */
export function optimise(from, to, ...more) {
  const wasmOpt = join(root, "node_modules/binaryen/bin/wasm-opt");
  const passes = [
    "-O3",
    "--low-memory-unused",
    "--skip-pass=local-cse",
    "--one-caller-inline-max-function-size=100",
    "--dealign",
    "--strip-producers",
    "--strip-target-features",
    "--reorder-functions-by-name",
  ];
  run(process.execPath, [wasmOpt, ...passes, ...wasmFeatures, ...more, from, "-o", to], { output: 2 });
}

export async function compileWasm() {
  await whenChanged("wasm", {
    inputs: ["src", "build.rs", "Cargo.toml", "Cargo.lock", ".cargo/config.toml", "rust-toolchain.toml"],
    outputs: [compiled],
    build: () => run("cargo", ["build", "--release", ...conversions, ...target, ...locked], { output: 2 }),
  });
  await whenChanged("glue", {
    inputs: [compiled, "tools/bindgen", "Cargo.lock", "scripts/build/wasm.mjs", "scripts/build/import-names.mjs"],
    outputs: [glueFolder],
    build: () => {
      rmSync(join(root, glueFolder), { recursive: true, force: true });
      run(join(root, bindgen), ["--target", "bundler", "--out-dir", glueFolder, compiled], { output: 2 });
      shortenImportNames(join(root, glueFolder, "toolwire_bg.js"), join(root, glueFolder, "toolwire_bg.wasm"));
    },
  });
  await whenChanged("wasm-opt", {
    inputs: [`${glueFolder}/toolwire_bg.wasm`, "package-lock.json", "scripts/build/wasm.mjs"],
    outputs: [wasmFile],
    build: () => optimise(`${glueFolder}/toolwire_bg.wasm`, wasmFile),
  });
}
