// docs/functions.md, docs/options.md and docs/command.md, from the built package.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { readEntries } from "./types.mjs";

const note = (types) =>
  `<!-- Written by \`npm run docs:reference\` from the doc comments of ${types}: change those. -->\n\n`;

/** The first sentence of a doc comment, for a cell of a table. */
const first = (about) => cell(about.match(/^.*?[.:](?= [A-Z`]|$)/)?.[0] ?? about);
/** In a table, with its angle brackets visible outside code. */
const cell = (text) =>
  text.replaceAll("|", "\\|").replaceAll(/`[^`]*`|<(?=\w)/g, (part) => (part === "<" ? "&lt;" : part));
const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;

function functionsPage(entries) {
  const sections = entries.map(({ entry, functions }) => {
    const rows = functions.map(({ signature, about }) => `| ${code(signature)} | ${first(about)} |\n`);
    return `\n## ${entry}\n\n| function | does |\n|---|---|\n${rows.join("")}`;
  });
  return `${note("the functions")}# All functions

The functions and classes of each entry point, with the first sentence of their documentation. \`toolwire/text\` also exports everything of
\`toolwire\`, and \`toolwire/slim\` exports it with \`initSync\`. [All options](options.md) lists what is passed to them.
${sections.join("")}`;
}

function optionsPage(entries) {
  const sections = entries
    .filter(({ options }) => options.length > 0)
    .map(({ entry, options }) => `\n## ${entry}\n${options.map(optionsTable).join("")}`);
  return `${note("the options")}# All options

What can be passed to the functions of each entry point. An option without a default is absent by default. The command has
[the same options of conversions](command.md) as flags.
${sections.join("")}`;
}

function optionsTable({ name, about, members }) {
  const rows = members.map((one) => `| \`${one.name}\` | ${code(one.type)} | ${cell(one.about)} |\n`);
  return `\n### ${name}\n\n${about}\n\n| option | type | meaning |\n|---|---|---|\n${rows.join("")}`;
}

function commandPage() {
  const help = execFileSync(process.execPath, [join(root, "pkg/dist/command.js"), "--help"], { encoding: "utf8" });
  return `<!-- Written by \`npm run docs:reference\` from \`toolwire --help\`: change pkg-template/command. -->

# The command line

\`npx toolwire\` converts from the shell. It recognises what it is given: a body, a stream, lines of JSON, or a batch, and in which format.

\`\`\`sh
npx toolwire convert --to anthropic request.json
curl -sN https://api.example.com/v1/chat/completions -d @request.json | npx toolwire convert --to anthropic
npx toolwire convert --to gemini batch.jsonl > gemini.jsonl
npx toolwire explain setting_dropped
npx toolwire gateway --to gemini
\`\`\`

What the target does not accept is reported on standard error, one line for each warning, with its [code](codes.md). \`--lossy error\` refuses to
lose anything.

## All of it

\`\`\`text
${help}\`\`\`
`;
}

/** Path → text. */
export function referencePages() {
  const entries = readEntries();
  return {
    "docs/functions.md": functionsPage(entries),
    "docs/options.md": optionsPage(entries),
    "docs/command.md": commandPage(),
  };
}

export function writePages() {
  for (const [path, text] of Object.entries(referencePages())) writeFileSync(join(root, path), text);
}

/** The pages that differ from the types. */
export const stalePages = () =>
  Object.entries(referencePages()).flatMap(([path, text]) =>
    readFileSync(join(root, path), "utf8") === text ? [] : [path],
  );
