// The example conversation in every provider's format, and a response of each provider in the canonical one.

import { readFileSync } from "node:fs";
import { printColumns } from "./columns.mjs";
import { warningLines } from "./warnings.mjs";

/** A provider's name, the suffix of its functions, and the model in the example. */
const providers = [
  { name: "openai", suffix: "OpenAI", model: "gpt-5.4" },
  { name: "anthropic", suffix: "Anthropic", model: "claude-sonnet-5-5" },
  { name: "gemini", suffix: "Gemini", model: "gemini-3.8-flash" },
];

const example = (file) => JSON.parse(readFileSync(new URL(`../../examples/${file}`, import.meta.url), "utf8"));

export function showExamples(toolwire) {
  const conversation = example("conversation.json");
  console.log("examples/conversation.json as each provider's request body\n");
  printColumns(
    providers.map(({ name, suffix, model }) =>
      column(`to${suffix}  →  ${name}`, (options) => toolwire[`to${suffix}`]({ ...conversation, model }, options)),
    ),
  );
  console.log("examples/responses/ of each provider in the canonical format\n");
  printColumns(
    providers.map(({ name, suffix }) =>
      column(`${name}  →  from${suffix}`, (options) =>
        toolwire[`from${suffix}`](example(`responses/${name}.json`), options),
      ),
    ),
  );
  return 0;
}

function column(title, convert) {
  const warnings = [];
  const value = convert({ onWarning: (warning) => warnings.push(warning) });
  const reported = warnings.length === 0 ? ["no warnings"] : warnings.flatMap(warningLines);
  return { title, lines: [...jsonLines(value), "", ...reported] };
}

/** JSON in lines; short values are on one line. */
function jsonLines(value, key = "", indent = "") {
  const short = JSON.stringify(value);
  if (`${indent}${key}${short}`.length <= 44 || typeof value !== "object") return [indent + key + short];
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const items = entries.map(([name, item]) =>
    jsonLines(item, Array.isArray(value) ? "" : `${JSON.stringify(name)}: `, `${indent}  `),
  );
  for (const lines of items.slice(0, -1)) lines[lines.length - 1] += ",";
  return [indent + key + open, ...items.flat(), indent + close];
}
