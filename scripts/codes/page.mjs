// Generates the tables of codes in docs/format.md, and checks that they are up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, root } from "../lib/run.mjs";
import { errorCodes, warningCodes } from "./lists.mjs";

const PAGE = "docs/format.md";

/** Each table, with its head, which the page already contains. */
const tables = [
  {
    head: "| code | meaning |\n|---|---|\n",
    rows: () => errorCodes().map(({ code, meaning }) => [`\`${code}\``, meaning]),
  },
  {
    head: "| code | lossy | meaning |\n|---|---|---|\n",
    rows: () => warningCodes().map(({ code, meaning, lossy }) => [`\`${code}\``, lossy ? "yes" : "no", meaning]),
  },
];

/** The page with up-to-date tables. */
export function page(text) {
  return tables.reduce((written, { head, rows }) => {
    const start = written.indexOf(head) + head.length;
    if (start < head.length) throw new CommandFailed(`${PAGE} has no table with the head\n${head}`);
    const end = written.indexOf("\n\n", start) + 1;
    const lines = rows().map((cells) => `| ${cells.join(" | ")} |\n`);
    return written.slice(0, start) + lines.join("") + written.slice(end);
  }, text);
}

const read = () => readFileSync(join(root, PAGE), "utf8");

export function writePage() {
  writeFileSync(join(root, PAGE), page(read()));
}

export function checkPage() {
  if (read() !== page(read())) throw new CommandFailed(`${PAGE} is stale: npm run docs:codes`);
}
