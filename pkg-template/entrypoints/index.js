// The wasm is contained in the file, so nothing has to be found, fetched or configured.

import wasm from "module:bytes";
import { useModule } from "module:runtime";
import { bytesOf } from "../runtime/binary.js";

useModule(() => new WebAssembly.Module(bytesOf(wasm)));

export * from "module:exports";
