// Builds each module: Rust source → wasm → wasm-bindgen glue → optimised wasm.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run } from "../lib/run.mjs";
import { bindgen } from "../lib/setup.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { compile } from "./compile.mjs";
import { namedInOrder } from "./function-order.mjs";
import { shortenImportNames } from "./import-names.mjs";
import { modules } from "./modules.mjs";

const scripts = ["scripts/build/wasm.mjs", "scripts/build/modules.mjs"];

// the features that rustc uses by default for this target, and simd128 from .cargo/config.toml
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
 * Runs wasm-opt with these options:
 *
 * - `low-memory-unused`: nothing is stored below address 1,024, where the stack ends, so offsets can be folded into addresses;
 * - `skip-pass=local-cse`: computing a value twice takes fewer bytes than a local variable for it;
 * - `one-caller-inline-max-function-size`: large functions with one caller are not inlined, so that engines compile them only when needed;
 * - `dealign`: engines ignore the alignment hints of memory accesses, and constant ones compress better;
 * - `strip-…`: removes the compiler's version and the list of features;
 * - `reorder-functions-by-name`: places the functions of one Rust module next to each other.
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

/** Sorts the functions for gzip. The levels only affect how Binaryen encodes instructions: no optimisation runs again. */
function sortFunctions(wasm) {
  const file = join(root, wasm);
  writeFileSync(file, namedInOrder(readFileSync(file)));
  wasmOpt(wasm, wasm, ["--optimize-level=2", "--shrink-level=2", "--reorder-functions-by-name"]);
}

function wasmOpt(from, to, options) {
  const program = join(root, "node_modules/binaryen/bin/wasm-opt");
  run(process.execPath, [program, ...options, ...wasmFeatures, from, "-o", to], { output: 2 });
}

/** Compiles the Rust of all modules, for which no package of npm is needed. */
export async function compileModules({ quick = false } = {}) {
  for (const module of modules) await compile(module, quick);
}

/** Returns whether all are optimised. With `quick`, those are not whose optimised wasm is not up to date. */
export async function finishModules({ quick = false } = {}) {
  let areOptimised = true;
  for (const module of modules) areOptimised = (await compileModule(module, quick)) && areOptimised;
  return areOptimised;
}

/** Returns whether it is optimised. */
export async function compileModule(module, quick) {
  const { bound, isQuick } = await bindModule(module, quick);
  mkdirSync(join(root, dirname(module.wasm)), { recursive: true });
  copyFileSync(join(root, isQuick ? bound : await optimised(module, bound)), join(root, module.wasm));
  return !isQuick;
}

/** Compiles a module and makes its glue. Returns the path of the wasm that wasm-bindgen made, which is not optimised further. */
export async function bindModule(module, quick) {
  const { name, glue } = module;
  const bound = `${glue}/${name}_bg.wasm`;
  const { compiled, isQuick } = await compile(module, quick);
  await whenChanged({
    name: `glue of ${name}`,
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
      run(join(root, bindgen), [compiled, glue, name], { output: 2 });
      await shortenImportNames(join(root, glue, `${name}_bg.js`), join(root, bound));
    },
  });
  return { bound, isQuick };
}

async function optimised({ name, passes }, bound) {
  const file = `build/optimised/${name}.wasm`;
  await whenChanged({
    name: `wasm-opt of ${name}`,
    inputs: [bound, "package-lock.json", "scripts/build/function-order.mjs", ...scripts],
    outputs: [file],
    build: () => {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      optimise(bound, file, { level: passes });
      sortFunctions(file);
    },
  });
  return file;
}
