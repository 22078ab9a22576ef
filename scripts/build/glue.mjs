// Turns wasm-bindgen's glue into a factory. The glue and its snippets have module-level state (views of the memory, the instance), so
// each instance of the wasm needs its own copy.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/run.mjs";

/** Generates `glue.js` and its types for a module whose runtime uses the crate's exports directly. */
export async function generateGlue(module) {
  const glue = await import(pathToFileURL(join(root, module.glue, `${module.name}_bg.js`)));
  const exported = Object.keys(glue).filter((name) => !name.startsWith("__wb"));
  const factory = withCheckedTexts(await glueFactory(module, { groups: { exported } }));
  const types = `import type * as exported from "${relative(module.generated, `${module.glue}/${module.name}.js`)}";
export function createGlue(registry: typeof FinalizationRegistry | undefined): {
  imports: WebAssembly.Imports;
  exported: typeof exported;
  setWasm(exports: WebAssembly.Exports): void;
};
`;
  mkdirSync(join(root, module.generated), { recursive: true });
  writeFileSync(join(root, module.generated, "glue.js"), `export const createGlue = ${factory};\n`);
  writeFileSync(join(root, module.generated, "glue.d.ts"), types);
}

/**
 * wasm-bindgen copies texts character by character up to the first one that is not ASCII. The encoder of the platform is faster above this
 * length.
 */
const longText = 64;
const copiesText = `
  const mem = getUint8ArrayMemory0();
  let offset = 0;
`;
const encodesText = `if (len > ${longText}) {
    const { read, written } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len));
    if (read === len) {
      WASM_VECTOR_LEN = written;
      return ptr;
    }
  }
`;

/** The glue does not check the types of arguments: anything but a string would be passed as an address. */
const passesText = /(function passStringToWasm0\(arg\b[^{]*\{\n)/;
const requiresText = `$1    if (typeof arg !== "string") {
      throw { code: "invalid_options", path: "", message: "expected a string, received " + (arg === null ? arg : typeof arg) };
    }
`;

function withCheckedTexts(glue) {
  if (glue.split(copiesText).length !== 2 || !passesText.test(glue)) {
    throw new Error("wasm-bindgen's glue copies texts in another way");
  }
  const fast = glue.replace(copiesText, copiesText.replace("  let offset", `  ${encodesText}  let offset`));
  return fast.replace(passesText, requiresText);
}

/**
 * The source of a function that creates a new copy of the glue. Its argument is the class for the registry of unreachable objects. The
 * copy contains only the functions that the wasm and the facade use, because each one costs time at every start. `groups` are the
 * exported names of the glue, by group; `plugins` are esbuild plugins.
 */
export async function glueFactory(module, { groups, plugins = [] }) {
  const { build } = await import("esbuild");
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(root, module.wasm))));
  const sources = [...new Set(imported.map((entry) => entry.module))];
  const taken = (names, from) => names.map((name) => `${name}: ${from}.${name}`).join(", ");
  const namesIn = (source) => imported.filter((entry) => entry.module === source).map(({ name }) => name);
  const imports = sources.map(
    (source, index) => `${JSON.stringify(source)}: { ${taken(namesIn(source), `import${index}`)} }`,
  );
  const grouped = Object.entries(groups).map(([group, names]) => `${group}: { ${taken(names, "glue")} }`);
  const bundle = await build({
    stdin: {
      contents: [
        `import * as glue from "./${module.name}_bg.js";`,
        ...sources.map((source, index) => `import * as import${index} from ${JSON.stringify(source)};`),
        `const imports = { ${imports.join(", ")} };`,
        `module.exports = { imports, ${grouped.join(", ")}, setWasm: glue.__wbg_set_wasm };`,
      ].join("\n"),
      resolveDir: join(root, module.glue),
    },
    bundle: true,
    format: "cjs",
    platform: "neutral",
    write: false,
    plugins,
  });
  // because of the parentheses, V8 compiles the function immediately instead of parsing it twice
  return `(function (FinalizationRegistry) {
const module = { exports: {} };
${bundle.outputFiles[0].text}
return module.exports;
})`;
}
