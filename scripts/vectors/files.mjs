// The files of conversion vectors, and what is wrong with how they are named and written.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

export const folder = join(root, "tests/vectors");

/** `[{ name, text, cases }]`, by name. */
export function vectorFiles() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return { name: file.slice(0, -".json".length), text, cases: JSON.parse(text) };
  });
}

/** The cases of all files. */
export const vectorCases = () => vectorFiles().flatMap(({ cases }) => cases);

const longest = 200;
/** A string can't be broken: it may stand alone, or behind its key. */
const oneString = /^ *(?:"(?:[^"\\]|\\.)*": )?"(?:[^"\\]|\\.)*",?$/;

/** What is wrong with the files, one per line. */
export function problems(files) {
  const found = [];
  const seen = new Set();
  for (const { name, text, cases } of files) {
    for (const { name: full } of cases) {
      if (!belongsTo(full, name)) found.push(`${name}.json: ${full} belongs to another file`);
      if (seen.has(full)) found.push(`${name}.json: there are two cases with the name ${full}`);
      seen.add(full);
    }
    for (const [index, line] of text.split("\n").entries()) {
      if (line.length > longest && !oneString.test(line)) found.push(`${name}.json:${index + 1} is too long`);
    }
  }
  return found;
}

/** The folders of a case's name begin with the file's name: `streams/openai/calls/…` is in `streams-openai-calls`. */
function belongsTo(full, file) {
  const folders = full.split("/").slice(0, -1);
  return folders.some((_, index) => folders.slice(0, index + 1).join("-") === file);
}
