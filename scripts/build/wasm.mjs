// Rust source → wasm → wasm-bindgen glue → optimised wasm, for each module.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { locked, root, run } from "../lib/run.mjs";
import { bindgen } from "../lib/setup.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { namedInOrder } from "./function-order.mjs";
import { shortenImportNames } from "./import-names.mjs";
import { moduleNamed, modules } from "./modules.mjs";

const scripts = ["scripts/build/wasm.mjs", "scripts/build/modules.mjs", "scripts/build/function-order.mjs"];
const target = ["--target", "wasm32-unknown-unknown"];

/** Of the conversions. */
export const { glue: glueFolder, wasm: wasmFile } = moduleNamed("toolwire");

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
 * In the order of their names those of one module stand together.
 * No engine asks how far an address is aligned, and what says nothing packs better. What the compiler was is not to be shipped.
 */
export function optimise(from, to, { level = ["-O3"], more = [] } = {}) {
  wasmOpt(from, to, [
    ...level,
    "--low-memory-unused",
    "--skip-pass=local-cse",
    "--one-caller-inline-max-function-size=100",
    "--dealign",
    "--strip-producers",
    "--strip-target-features",
    "--reorder-functions-by-name",
    ...more,
  ]);
}

/** Sorts the functions for gzip. The levels are those of the instructions that Binaryen writes; nothing else is optimised again. */
function sortFunctions(wasm) {
  const file = join(root, wasm);
  writeFileSync(file, namedInOrder(readFileSync(file)));
  wasmOpt(wasm, wasm, ["--optimize-level=2", "--shrink-level=2", "--reorder-functions-by-name"]);
}

function wasmOpt(from, to, options) {
  const program = join(root, "node_modules/binaryen/bin/wasm-opt");
  run(process.execPath, [program, ...options, ...wasmFeatures, from, "-o", to], { output: 2 });
}

export async function compileWasm() {
  for (const module of modules) await compileModule(module);
}

async function compileModule({ name, features, profile, flags, passes, compiled, glue, wasm }) {
  const bound = `${glue}/${name}_bg.wasm`;
  await whenChanged(`wasm of ${name}`, {
    inputs: ["src", "build.rs", "Cargo.toml", "Cargo.lock", ".cargo/config.toml", "rust-toolchain.toml", ...scripts],
    outputs: [compiled],
    build: () => {
      // after those of .cargo/config.toml, so that these apply
      const more = ["--config", `target.wasm32-unknown-unknown.rustflags = ${JSON.stringify(flags)}`];
      const selected = ["--profile", profile, "--no-default-features", "--features", features];
      run("cargo", ["build", "--lib", ...selected, ...target, ...more, ...locked], { output: 2 });
    },
  });
  await whenChanged(`glue of ${name}`, {
    inputs: [
      compiled,
      "tools/bindgen",
      "Cargo.lock",
      "package-lock.json",
      "scripts/build/import-names.mjs",
      ...scripts,
    ],
    outputs: [bound],
    build: async () => {
      rmSync(join(root, glue), { recursive: true, force: true });
      const to = ["--target", "bundler", "--out-dir", glue, "--out-name", name];
      run(join(root, bindgen), [...to, compiled], { output: 2 });
      await shortenImportNames(join(root, glue, `${name}_bg.js`), join(root, bound));
    },
  });
  await whenChanged(`wasm-opt of ${name}`, {
    inputs: [bound, "package-lock.json", ...scripts],
    outputs: [wasm],
    build: () => {
      mkdirSync(join(root, dirname(wasm)), { recursive: true });
      optimise(bound, wasm, { level: passes });
      sortFunctions(wasm);
    },
  });
}
