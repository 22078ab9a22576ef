// The functions of `toolwire/text` that each dialect has, from the table of dialects.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dialects } from "../lib/dialects.mjs";
import { root } from "../lib/run.mjs";

/** Among the sources, because its declarations are part of the package; git ignores it. */
const file = "pkg-template/text/dialects.ts";

const head = `// Written by the build. All of the conversions; \`toX\` and \`fromX\` take the option \`simulateTools\`.

import * as base from "#conversions";
import { type FromWire, from, type ToWire, to } from "./drivers.js";

export * from "#conversions";
`;

const functions = ({ name, suffix }) => `/** As \`to${suffix}\` of \`toolwire\`, with the option \`simulateTools\`. */
export const to${suffix}: ToWire<base.${suffix}Request> = to("${name}", base.to${suffix});
/** As \`from${suffix}\` of \`toolwire\`, with the option \`simulateTools\`. */
export const from${suffix}: FromWire = from(base.from${suffix});
`;

export function generateDialects() {
  const own = dialects.filter(({ suffix }) => suffix !== undefined);
  writeFileSync(join(root, file), head + own.map(functions).join(""));
}
