// Node reads the wasm file beside this one, which is faster than parsing the wasm in a module's text. If the file does not exist, as in a
// bundle, or can't be read without a permission, as in Deno, that module is required instead. Bundlers include it.

import { useModule } from "module:runtime";
import { bytesOf } from "../runtime/binary.js";

useModule(() => new WebAssembly.Module(bytesOfFile() ?? bytesOf(wasmText())));

// the build adds `wasmFile` and `wasmText` before this code; they differ for import and require (scripts/build/entries.mjs)
function bytesOfFile() {
  if (globalThis.Deno) return undefined;
  try {
    return wasmFile();
  } catch {
    return undefined;
  }
}

export * from "module:exports";
