// Reads the closed lists of codes from the Rust tables.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
/** A row: its doc comment, the variant, the code, and the level of the warning. */
const row = /^((?: {4}\/\/\/ .*\n)+) {4}\w+ "(\w+)"(?: (Loss|Change|Bookkeeping))?,$/gm;

/** `[{ code, meaning, level }]` of a table in `codes!`. */
function rowsOf(file) {
  const rows = [...read(file).matchAll(row)].map(([, doc, code, level]) => ({
    code,
    meaning: doc
      .trim()
      .replace(/\n? *\/\/\/ /g, " ")
      .trim(),
    level: level?.toLowerCase(),
  }));
  if (rows.length === 0) throw new Error(`${file} has no table of codes`);
  return rows;
}

export const warningCodes = () => rowsOf("src/run/warning.rs");
export const errorCodes = () => rowsOf("src/run/error.rs");
