import * as toolwire from "toolwire/slim";
import { outcomes } from "./uses.js";

const url = new URL("toolwire/toolwire.wasm", import.meta.url);
toolwire.useModule(await WebAssembly.compileStreaming(fetch(url)));
globalThis.outcome = outcomes(toolwire);
