// Optional options accept `undefined`, also with `exactOptionalPropertyTypes`: programs pass values that may be absent, such as
// those of the environment. Results keep their exact types.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

/** The names of types that callers pass. */
const passed =
  /^(?:\w*Options|\w*Option|\w*Conversion|ChatRequest|ReasoningSettings|ToolDefinition|SendTarget|SimulationTarget|ReadText|Tool|ToolBase|ToolPolicy|ToolFilter|ParameterDefinition)$/;
/** A method without type parameters. Methods are kept as methods, because their parameters are bivariant. */
const handler = /^(\s+)onWarning\?\(([^()]*)\): void;/gm;
const property = /^( +)((?:readonly )?\w+\?: )((?:[^;{}\n]|\{[^{}\n]*\})+);/gm;

/** Parameters with anonymous types. */
const inline = /(?<=\b(?:conversion: Conversion & |target: |options\?: Options & ))\{ [^{}]*\}/g;

const withUndefined = (type) => `${/=>/.test(type) ? `(${type})` : type} | undefined`;

export function acceptUndefined(types) {
  const interfaces = /^(?:export )?(?:declare )?interface (\w+)[^\n]*\{\n[\s\S]*?^\}/gm;
  return types
    .replaceAll(interfaces, (text, name) =>
      passed.test(name)
        ? text
            .replaceAll(handler, "$1onWarning?: (($2) => void) | undefined;")
            .replaceAll(property, (line, indent, key, type) =>
              /\bundefined\b/.test(type) ? line : `${indent}${key}${withUndefined(type)};`,
            )
        : text,
    )
    .replaceAll(inline, (text) => text.replaceAll(/(\w+\?: )([^;{}]+?)(?=;| \})/g, "$1$2 | undefined"));
}

/** Rewrites the declarations below a folder. */
export function acceptUndefinedBelow(folder) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.d\.c?ts$/.test(name)) continue;
    const file = join(root, folder, name);
    writeFileSync(file, acceptUndefined(readFileSync(file, "utf8")));
  }
}
