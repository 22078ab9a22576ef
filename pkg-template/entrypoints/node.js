// Node finds the wasm sooner in the file beside this one than in a module's text. Where there is no such file, as in a bundle, or it
// may not be read, as in Deno, the text is required: bundlers put it in.

import { useModule } from "module:runtime";
import { bytesOf } from "../runtime/binary.js";

useModule(() => new WebAssembly.Module(bytesOfFile() ?? bytesOf(wasmText())));

// `wasmFile` and `wasmText` stand before this in the package's files: they are not the same for import and require.
function bytesOfFile() {
  if (globalThis.Deno) return undefined;
  try {
    return wasmFile();
  } catch {
    return undefined;
  }
}

export * from "module:exports";
