import { readFile } from "node:fs/promises";
import * as toolwire from "toolwire/slim";
import { outcomes } from "./uses.js";

const bytes = await readFile(new URL(import.meta.resolve("toolwire/toolwire.wasm")));
toolwire.useModule(await WebAssembly.compile(bytes));
console.log(JSON.stringify(await outcomes(toolwire)));
