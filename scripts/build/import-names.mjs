// Shortens the names of the wasm's imports, which end in hashes that can't be compressed. Names that would become equal get a number.

import { readFileSync, writeFileSync } from "node:fs";

const HASHED = /^(__wbg_\w+)_[0-9a-f]{16}$/;

/** Renames the imports in the glue and in its wasm. */
export async function shortenImportNames(glueFile, wasmFile) {
  const glue = readFileSync(glueFile, "utf8");
  const wasm = readFileSync(wasmFile);
  const names = shorterNames(
    WebAssembly.Module.imports(new WebAssembly.Module(wasm)).map(({ name }) => name),
    new Set(glue.match(/\b\w+\b/g)),
  );
  writeFileSync(
    glueFile,
    glue.replace(/\b__wbg_\w+\b/g, (name) => names.get(name) ?? name),
  );
  writeFileSync(wasmFile, await renameImports(wasm, names));
}

/** A shorter name for each name with a hash. None of them is in `taken`. */
export function shorterNames(imported, taken) {
  const names = new Map();
  const used = new Set(taken);
  for (const name of imported) {
    const [, stem] = name.match(HASHED) ?? [];
    if (stem === undefined || names.has(name)) continue;
    let shorter = stem;
    for (let number = 2; used.has(shorter); number++) shorter = `${stem}${number}`;
    used.add(shorter);
    names.set(name, shorter);
  }
  return names;
}

/** The module with some of its imported functions renamed. */
export async function renameImports(wasm, names) {
  const { default: binaryen } = await import("binaryen");
  binaryen.setDebugInfo(true);
  const module = binaryen.readBinary(wasm);
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const { name, module: from, base, params, results } = binaryen.getFunctionInfo(module.getFunctionByIndex(index));
    // for an existing function, this only changes the name that it is imported by
    if (names.has(base)) module.addFunctionImport(name, from, names.get(base), params, results);
  }
  const renamed = module.emitBinary();
  module.dispose();
  return renamed;
}
