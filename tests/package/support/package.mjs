// The built package, as the tests load it.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL("../../../pkg/", import.meta.url));
export const esm = new URL("../../../pkg/dist/index.js", import.meta.url).href;

/** A copy with module state of its own: nothing compiled, no instance yet. */
export const freshCopy = (name) => import(`${esm}?${name}`);

export const requirePackage = () => createRequire(import.meta.url)(folder);

/** The smallest request that every provider's conversion accepts. */
export const request = { model: "m", messages: [{ role: "user", content: "Hi" }] };
export const openAIBody = { model: "m", messages: [{ role: "user", content: "Hi" }] };
