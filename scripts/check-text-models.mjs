// Compares `textFormatOf` of the built package with the lists of models in the documentation of servers, and with chat templates.
//   npm run check:text-models -- FOLDER
// FOLDER has these documents (vLLM's tool_calling.md, SGLang's tool_parser as .md or .ipynb) and templates (*.jinja). For a template, the format
// by its markers is compared with that by its file's name.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { textFormatOf } from "../pkg/dist/text/index.js";

const { parsers, exceptions } = JSON.parse(readFileSync(new URL("text-formats/parsers.json", import.meta.url), "utf8"));
const folder = process.argv[2];
if (!folder) throw new Error("which folder? It holds documents and templates");

const differing = (name) => (exceptions[name] ? "known" : "differ");
const NAME = /`([\w.-]+\/[\w.*-]+)`/g;

/** The models of a document, each with the parser that the document names for it. */
function modelsOf(text) {
  const found = [];
  for (const [, parser, row] of text.matchAll(/^\W*\|\s*`([\w-]+)`\s*\|(.*)$/gm)) {
    for (const [, name] of row.matchAll(NAME)) found.push([name, parser]);
  }
  for (const section of text.split(/^### /m).slice(1)) {
    const flags = [...section.matchAll(/--tool-call-parser ([\w-]+)/g)];
    for (const { 1: name, index } of section.matchAll(NAME)) {
      const flag = flags.find((one) => one.index > index) ?? flags.at(-1);
      if (flag && !name.startsWith("examples/")) found.push([name.replace(/-?\*$/, ""), flag[1]]);
    }
  }
  return found;
}

const count = { agree: 0, known: 0, differ: 0, unknown: 0 };
for (const file of readdirSync(folder).sort()) {
  const text = readFileSync(join(folder, file), "utf8");
  if (file.endsWith(".jinja")) {
    const [byMarkers, byName] = [textFormatOf({ template: text }), textFormatOf(file.slice(0, -".jinja".length))];
    const state = byMarkers === byName ? "agree" : byMarkers && byName ? differing(file) : "unknown";
    count[state]++;
    if (state !== "agree") console.log(`${state}: ${file}: ${byMarkers} by its markers, ${byName} by its name`);
    continue;
  }
  for (const [name, parser] of modelsOf(text)) {
    const format = textFormatOf(name);
    const expected = parsers[parser];
    const state = !expected || !format ? "unknown" : expected.includes(format) ? "agree" : differing(name);
    count[state]++;
    if (state !== "agree")
      console.log(`${state}: ${file}: ${name}: ${format}, parser ${parser} ${exceptions[name] ?? ""}`);
  }
}
console.log(
  `${count.agree} agree, ${count.known} differ with a reason, ${count.differ} differ, ${count.unknown} are not known`,
);
process.exit(count.differ > 0 ? 1 : 0);
