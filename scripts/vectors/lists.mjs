// Generates the lists of the vector files: one for readers, and one for the tests in wasm, which can't read files.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dialects } from "../lib/dialects.mjs";
import { CommandFailed, root } from "../lib/run.mjs";
import { folder, problems, vectorFiles } from "./files.mjs";

const COMMAND = "npm run docs:vectors";
const TOPICS = "tests/topics.json";
/** The section of the files of dialects. */
const DIALECTS = "Whole formats";

/**
 * The topics of all files. A file without an entry in `topics` whose name is that of a dialect (`acme` or `acme-streams`) has the dialect
 * as its topic.
 */
export function withDialects(topics, files, dialects) {
  const listed = listedIn(topics);
  const documented = (file) => {
    const fitting = dialects.filter(({ name }) => file === name || file.startsWith(`${name}-`));
    // if both `openai` and `openai-responses` match, the longer one
    const [dialect] = fitting.sort((a, b) => b.name.length - a.name.length);
    if (dialect?.documented === undefined) return undefined;
    const part = file.slice(dialect.name.length + 1).replaceAll("-", " ");
    return part === "" ? dialect.documented : `${dialect.documented}: ${part}`;
  };
  const own = files
    .filter(({ name }) => !listed.includes(name) && documented(name))
    .map(({ name }) => [name, documented(name)]);
  return { ...topics, [DIALECTS]: { ...topics[DIALECTS], ...Object.fromEntries(own) } };
}

const listedIn = (topics) => Object.values(topics).flatMap((rows) => Object.keys(rows));

/** File name → text. */
export function lists(files, topics) {
  return { "INDEX.md": index(files, topics), "list.rs": rustList(files) };
}

function index(files, topics) {
  const counts = new Map(files.map(({ name, cases }) => [name, cases.length]));
  const sections = Object.entries(topics).map(([title, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, topic]) => `| [${name}](${name}.json) | ${topic} | ${counts.get(name) ?? 0} |\n`,
    );
    return `\n## ${title}\n\n| file | topic | cases |\n|---|---|--:|\n${lines.join("")}`;
  });
  const sum = files.reduce((total, { cases }) => total + cases.length, 0);
  return `<!-- Written by \`${COMMAND}\` from the files here and ${TOPICS}. -->

# Index of the vectors

${sum} cases in ${files.length} files. [README.md](README.md) describes their form.
${sections.join("")}`;
}

function rustList(files) {
  const names = files.map(({ name }) => name).sort();
  return `// Written by \`${COMMAND}\`.\n\nvectors! {\n${names.map((name) => `    "${name}"\n`).join("")}}\n`;
}

/** Files without a topic, and topics without a file. */
export function unmatched(files, topics) {
  const listed = listedIn(topics);
  const names = files.map(({ name }) => name);
  return [
    ...names.filter((name) => !listed.includes(name)).map((name) => `${TOPICS}: ${name} has no topic`),
    ...listed.filter((name) => !names.includes(name)).map((name) => `${TOPICS}: there is no file ${name}.json`),
  ];
}

function read() {
  const files = vectorFiles();
  const topics = withDialects(JSON.parse(readFileSync(join(root, TOPICS), "utf8")), files, dialects);
  return { texts: lists(files, topics), found: [...unmatched(files, topics), ...problems(files)] };
}

export function writeLists() {
  const { texts, found } = read();
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  for (const problem of found) console.error(problem);
  return found.length > 0 ? 1 : 0;
}

/** Throws unless the vectors have valid names and the right format, and the lists are up to date. */
export function checkVectors() {
  const { texts, found } = read();
  if (found.length > 0) throw new CommandFailed(`vectors:\n  ${found.join("\n  ")}`);
  for (const [name, text] of Object.entries(texts)) {
    if (readFileSync(join(folder, name), "utf8") !== text) {
      throw new CommandFailed(`tests/vectors/${name} is stale: ${COMMAND}`);
    }
  }
}
