// Emits the type declarations of the TypeScript sources, for `import` and for `require`.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { root, run } from "../lib/run.mjs";
import { conversions } from "./conversions.mjs";

/** The name by which sources import the types that wasm-bindgen generates for the module. */
const coreTypes = "#core";

/** Writes the declarations of a module or a library to `pkg/dist/`. Type errors in the sources fail the build. */
export function emitDeclarations(module) {
  const sources = dirname(module.exports);
  const emitted = `build/declarations/${module.name}`;
  rmSync(join(root, emitted), { recursive: true, force: true });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  run(process.execPath, [tsc, "-p", sources, "--outDir", emitted], { output: 2 });
  const dist = `pkg/dist/${module.folder}`;
  const found = new Map();
  for (const name of module.sources ?? ["index"]) reachable(join(emitted, basename(sources)), `${name}.d.ts`, found);
  for (const [name, text] of found) {
    const core = `${relative(dirname(name), "") || "."}/core.js`;
    const named = text.replaceAll(`"${coreTypes}"`, `"${core}"`).replaceAll(`"${conversions}"`, '"toolwire"');
    writeBoth(`${dist}${name}`, named);
  }
  if (module.glue) writeBoth(`${dist}core.d.ts`, readFileSync(join(root, module.glue, `${module.name}.d.ts`), "utf8"));
}

/** The declarations that a file refers to, directly or indirectly, by file name. Others are only used by the implementation. */
function reachable(folder, name, found) {
  if (found.has(name)) return found;
  const text = readFileSync(join(root, folder, name), "utf8");
  found.set(name, text);
  for (const [, imported] of text.matchAll(/(?:from |import\()"(\.[^"]*)\.js"/g)) {
    reachable(folder, join(dirname(name), `${imported}.d.ts`), found);
  }
  return found;
}

function writeBoth(file, text) {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
  writeFileSync(join(root, file.replace(/\.d\.ts$/, ".d.cts")), commonJsTypes(text));
}

/** The same declarations, with imports of the CommonJS declarations beside them. */
export function commonJsTypes(text) {
  return text.replace(/(from |import\()"(\.[^"]*)\.js"/g, '$1"$2.cjs"');
}
