// Tests generated grammars with real engines, using tools/grammar-check.

import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandFailed, locked, root, run } from "./run.mjs";

/** The engine of each syntax, and the number of generated cases in `npm test` and in `npm run check:grammars`. */
export const engines = {
  gbnf: { title: "GBNF (llama.cpp)", sample: 300, all: 300 },
  lark: { title: "Lark (llguidance)", sample: 110, all: 300 },
  openai: { title: "Lark of OpenAI (llguidance)", sample: 110, all: 300 },
  jsonSchema: { title: "JSON Schema (llguidance)", sample: 110, all: 300 },
  regex: { title: "regex (llguidance)", sample: 110, all: 300 },
  outlines: { title: "regex (outlines-core)", sample: 110, all: 300 },
  structuralTag: { title: "structural tags (XGrammar)", sample: 300, all: 300 },
};

/** The counts for each format. Throws if a verdict differs from the expected one. `program` is the path of an engine that is not a crate. */
export function judge(engine, count, program = []) {
  const file = printed(`${engine}.jsonl`, ["judge", "0", String(count), engine, ...program]);
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const rows = lines.map((line) => JSON.parse(line));
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  if (sum("accepted") === 0 || sum("rejected") === 0) throw new CommandFailed(`${engine}: no text was judged`);
  const counts = ["accepted", "rejected", "wrong", "refused"].map((key) => `${sum(key)} ${key}`);
  console.log(`${engines[engine].title}, ${rows.length} formats: ${counts.join(", ")}`);
  return rows;
}

/** Compares our structural tags with those of the crate, using XGrammar. `folder` contains the crate's golden files. */
export function compareTags(folder, python) {
  const pairs = printed("pairs.jsonl", ["golden", resolve(folder)]);
  run(python, ["tools/grammar-check/xgrammar/compare.py", pairs]);
}

/** The path of a file with the output of tools/grammar-check. */
function printed(name, args) {
  const folder = join(root, "build", "grammars");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const output = openSync(file, "w");
  try {
    run("cargo", ["run", "-q", "-p", "toolwire-grammar-check", ...locked, "--", ...args], { output });
  } finally {
    closeSync(output);
  }
  return file;
}
