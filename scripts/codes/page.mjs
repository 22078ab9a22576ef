// Generates the tables of codes in docs/format.md, and docs/codes.md, and checks that they are up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, root } from "../lib/run.mjs";
import { codesPage } from "./codes-page.mjs";
import { errorCodes, warningCodes } from "./lists.mjs";

const PAGE = "docs/format.md";
const CODES = "docs/codes.md";

const linkTo = (code) => `[\`${code}\`](codes.md#${code})`;

/** Each table, with its head, which the page already contains. */
const tables = [
  {
    head: "| code | meaning |\n|---|---|\n",
    rows: () => errorCodes().map(({ code, meaning }) => [linkTo(code), meaning]),
  },
  {
    head: "| code | level | meaning |\n|---|---|---|\n",
    rows: () => warningCodes().map(({ code, meaning, level }) => [linkTo(code), level, meaning]),
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

const read = (path) => readFileSync(join(root, path), "utf8");
const codes = () => codesPage({ errors: errorCodes(), warnings: warningCodes() });

export function writePage() {
  writeFileSync(join(root, PAGE), page(read(PAGE)));
  writeFileSync(join(root, CODES), codes());
}

export function checkPage() {
  const isStale = read(PAGE) !== page(read(PAGE)) || read(CODES) !== codes();
  if (isStale) throw new CommandFailed(`${PAGE} or ${CODES} is stale: npm run docs:codes`);
}
