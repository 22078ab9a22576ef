// Reads the files of conversion vectors, and checks their names and format.

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
/** A line with one string, alone or after its key, may be longer, because strings can't be broken. */
const oneString = /^ *(?:"(?:[^"\\]|\\.)*": )?"(?:[^"\\]|\\.)*",?$/;

/** The problems of the files, one per line. */
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

/** Whether the folders of a case's name start with the file's name: `streams/openai/calls/…` is in `streams-openai-calls`. */
function belongsTo(full, file) {
  const folders = full.split("/").slice(0, -1);
  return folders.some((_, index) => folders.slice(0, index + 1).join("-") === file);
}
