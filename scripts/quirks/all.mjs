// Writes docs/quirks.md from the table of quirks and the vectors, and checks that it is up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, root } from "../lib/run.mjs";
import { vectorFiles } from "../vectors/files.mjs";
import { problems } from "./check.mjs";
import { page } from "./page.mjs";
import { byNumber } from "./proofs.mjs";

const TABLE = "tests/quirks.json";
const PAGE = "docs/quirks.md";

const read = (path) => readFileSync(join(root, path), "utf8");

function readAll() {
  const sections = JSON.parse(read(TABLE));
  const proofs = byNumber(vectorFiles().map(({ name, cases }) => ({ file: `${name}.json`, cases })));
  return { sections, proofs, found: problems(sections, proofs) };
}

/** Writes the page, and then throws if the table has mistakes. */
export function writePage() {
  const { sections, proofs, found } = readAll();
  writeFileSync(join(root, PAGE), page(sections, proofs));
  for (const problem of found) console.error(`${TABLE}: ${problem}`);
  return found.length > 0 ? 1 : 0;
}

/** Throws unless the table is correct and the page is up to date. */
export function checkPage() {
  const { sections, proofs, found } = readAll();
  if (found.length > 0) throw new CommandFailed(`${TABLE}:\n  ${found.join("\n  ")}`);
  if (read(PAGE) !== page(sections, proofs)) throw new CommandFailed(`${PAGE} is stale: npm run docs:quirks`);
}
