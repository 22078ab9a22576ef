// The conversions as one module whose exports have names. A bundle can't pass on `export *` of another file, but it can pass on names.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/run.mjs";

/** How sources name it. In declarations, it is `toolwire`. */
export const conversions = "#conversions";
export const conversionsFile = "build/generated/conversions.js";

/** Generates it from the entry point that was built. */
export async function generateConversions() {
  const names = Object.keys(await import(pathToFileURL(join(root, "pkg/dist/index.js"))));
  mkdirSync(join(root, dirname(conversionsFile)), { recursive: true });
  writeFileSync(join(root, conversionsFile), `export { ${names.join(", ")} } from "toolwire";\n`);
}
