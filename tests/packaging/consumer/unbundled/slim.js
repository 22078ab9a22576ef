import * as toolwire from "../node_modules/toolwire/dist/slim.js";
import { outcomes } from "../uses.js";

const url = new URL("../node_modules/toolwire/dist/toolwire.wasm", import.meta.url);
toolwire.useModule(await WebAssembly.compileStreaming(fetch(url)));
globalThis.outcome = outcomes(toolwire);
