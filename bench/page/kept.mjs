// Stores the last measurement of each part, so that the page can be written without measuring all parts again.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/run.mjs";

const folder = join(root, "build/bench/measured");
const fileOf = (part) => join(folder, `${part}.json`);

export function keep(part, sections) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(part), JSON.stringify(sections));
}

/** The stored sections of a part; none if it was never measured in this checkout. */
export function kept(part) {
  return existsSync(fileOf(part)) ? JSON.parse(readFileSync(fileOf(part), "utf8")) : [];
}
