// The wasm is inside the file, so nothing has to be found, fetched or configured.

import base64 from "../../build/toolwire_bg.wasm";
import { decodeBase64 } from "../runtime/base64.js";
import { useModule } from "../runtime/instance.js";

useModule(() => new WebAssembly.Module(decodeBase64(base64)));

export * from "../../build/generated/api.js";
