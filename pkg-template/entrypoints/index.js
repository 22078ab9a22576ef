// The wasm is inside the file, so nothing has to be found, fetched or configured.

import wasm from "../../build/toolwire_bg.wasm";
import { bytesOf } from "../runtime/binary.js";
import { useModule } from "../runtime/instance.js";

useModule(() => new WebAssembly.Module(bytesOf(wasm)));

export * from "./public.js";
