// `npm run check:grammars`: tests the grammars of 300 generated cases with real engines, and the table in docs/grammars.md.
// `-- --gbnf MATCHER --structuralTag PYTHON` runs llama.cpp's matcher and XGrammar and stores their verdicts; otherwise, the stored
// verdicts are used. docs/grammars.md describes how to install both. `-- --golden FOLDER --structuralTag PYTHON` compares structural
// tags with those of the crate `xgrammar-structural-tag` instead: FOLDER is `tests/golden` of its sources.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareTags, engines, judge } from "./lib/grammars.mjs";
import { main, root } from "./lib/run.mjs";

const page = join(root, "docs", "grammars.md");
const start = "| format |";

await main(() => {
  const options = { gbnf: { type: "string" }, structuralTag: { type: "string" }, golden: { type: "string" } };
  const { gbnf, structuralTag, golden } = parseArgs({ options }).values;
  if (golden) {
    compareTags(golden, structuralTag ?? "python3");
    return 0;
  }
  const programs = {
    gbnf: gbnf && [gbnf],
    structuralTag: structuralTag && [structuralTag, "tools/grammar-check/xgrammar/judge.py"],
  };
  const names = Object.keys(engines);
  const counts = names.map(
    (name) => new Map(judge(name, engines[name].all, programs[name]).map((row) => [row.format, row])),
  );
  const formats = [...new Set(counts.flatMap((byFormat) => [...byFormat.keys()]))].sort();
  const lines = [
    `${start} ${names.map((name) => engines[name].title).join(" | ")} |`,
    `|---|${names.map(() => "---|").join("")}`,
    ...formats.map(
      (format) => `| \`${format}\` | ${counts.map((byFormat) => cell(byFormat.get(format))).join(" | ")} |`,
    ),
  ];
  const text = readFileSync(page, "utf8");
  writeFileSync(page, `${text.slice(0, text.indexOf(start))}${lines.join("\n")}\n`);
  return 0;
});

function cell(row) {
  if (!row) return "–";
  const wrong = ["wrong", "refused"].filter((key) => row[key] > 0).map((key) => `, ${row[key]} ${key}`);
  return `${row.accepted} / ${row.rejected}${wrong.join("")}`;
}
