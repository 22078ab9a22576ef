const { readFileSync } = require("node:fs");
const toolwire = require("toolwire/slim");

toolwire.useModule(new WebAssembly.Module(readFileSync(require.resolve("toolwire/toolwire.wasm"))));
import("./uses.js").then(({ outcomes }) => outcomes(toolwire)).then((all) => console.log(JSON.stringify(all)));
