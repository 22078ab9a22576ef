import * as toolwire from "toolwire/slim";
import url from "toolwire/toolwire.wasm";
import { outcomes } from "./uses.js";

toolwire.useModule(await WebAssembly.compileStreaming(fetch(url)));
globalThis.outcome = outcomes(toolwire);
