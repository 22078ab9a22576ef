// Reads the table of dialects in src/format/dialect.rs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

export const tableOfDialects = "src/format/dialect.rs";

/** A row, as the macro `dialects!` describes it. */
const row =
  /\((?<variant>\w+), "(?<name>[\w-]+)" "(?<title>[^"]*)", (?<folder>\w+)::\w+, (?:None|Some\(Provider::\w+\))(?:,\s+\w+ (?<suffix>\w+)\s+"(?<documented>[^"]*)"\s+"[^"]*"(?:\s+as \w+)?)?\)/g;

/**
 * - `variant`, `folder`: in Rust;
 * - `name`: in options;
 * - `title`: what people call it;
 * - `suffix`, `documented`: in the names of its functions and in what documents them; undefined if it has none;
 * - `base`: the name of the first dialect of its family.
 */
export function dialectsOf(text) {
  const rows = [...text.matchAll(row)].map(({ groups }) => ({ ...groups }));
  const begun = text.match(/^ *\(\w+, "/gm) ?? [];
  if (rows.length !== begun.length)
    throw new Error(`${tableOfDialects}: ${begun.length} rows, ${rows.length} were read`);
  return rows.map((one) => ({ ...one, base: rows.find(({ folder }) => folder === one.folder).name }));
}

export const dialects = dialectsOf(readFileSync(join(root, tableOfDialects), "utf8"));
