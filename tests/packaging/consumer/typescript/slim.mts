import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as toolwire from "toolwire/slim";
import { outcomes } from "../uses.js";

// @ts-expect-error: not without a module
export const wrong: Parameters<typeof toolwire.useModule> = [];

const file = createRequire(import.meta.url).resolve("toolwire/toolwire.wasm");
toolwire.useModule(new WebAssembly.Module(readFileSync(file)));
console.log(JSON.stringify(await outcomes(toolwire)));
