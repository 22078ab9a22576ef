// Generates a module that re-exports all conversions by name. A bundle can't contain `export *` of an external file, but it can contain
// named exports.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/run.mjs";

/** The name that sources import it by. Declarations import `toolwire` instead. */
export const conversions = "#conversions";
export const conversionsFile = "build/generated/conversions.js";

/** Generates the module from the exports of the built entry point. */
export async function generateConversions() {
  const names = Object.keys(await import(pathToFileURL(join(root, "pkg/dist/index.js"))));
  mkdirSync(join(root, dirname(conversionsFile)), { recursive: true });
  writeFileSync(join(root, conversionsFile), `export { ${names.join(", ")} } from "toolwire";\n`);
}
