// The built package, as the tests load it.

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const folder = fileURLToPath(new URL("../../../pkg/", import.meta.url));
export const esm = new URL("../../../pkg/dist/index.js", import.meta.url).href;

/** A copy with module state of its own: nothing is compiled, and there is no instance yet. */
export const freshCopy = (name) => import(`${esm}?${name}`);

/** The smallest request that every provider's conversion accepts. */
export const request = { model: "m", messages: [{ role: "user", content: "Hi" }] };
export const openAIBody = { model: "m", messages: [{ role: "user", content: "Hi" }] };

/** A module of an example, copied next to an installed package, as users have it. */
export function loadExample(name, file) {
  const place = mkdtempSync(join(tmpdir(), "toolwire-example-"));
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  mkdirSync(join(place, "node_modules"));
  symlinkSync(folder, join(place, "node_modules/toolwire"));
  cpSync(fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url)), join(place, name), { recursive: true });
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  return import(pathToFileURL(join(place, name, file)));
}
