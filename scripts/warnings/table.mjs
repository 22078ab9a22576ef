// The warnings of ordinary conversations (`tests/ordinary`) to every other format: what an application hears if it does nothing unusual.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

/** Each target, with a model of its provider. */
const targets = {
  openai: "gpt-4.1",
  "openai-responses": "gpt-4.1",
  anthropic: "claude-opus-4-6",
  bedrock: "anthropic.claude-opus-4-6",
  gemini: "gemini-3-flash",
  vertexai: "gemini-3-flash",
  "gemini-interactions": "gemini-3-flash",
  mistral: "magistral-medium-latest",
  cohere: "command-a-reasoning-08-2025",
  ollama: "qwen3",
};

const read = (name) => JSON.parse(readFileSync(join(root, `tests/ordinary/${name}.json`), "utf8"));

/** A row for each conversation: its name, its format and, for each target, its warnings at the default level and all of them. */
function rows(name, convert) {
  return read(name).map(({ name, from, body }) => {
    const cells = Object.keys(targets).map((to) => {
      const heard = (options) => {
        const warnings = [];
        convert(structuredClone(body), { from, to, ...options, onWarning: (warning) => warnings.push(warning) });
        return warnings;
      };
      return {
        to,
        shown: to === from ? undefined : heard({}),
        all: to === from ? undefined : heard({ bookkeeping: true }),
      };
    });
    return { name, from, cells };
  });
}

export const requests = ({ convertRequest }) =>
  rows("requests", (body, options) => convertRequest(body, { ...options, model: targets[options.to] }));
export const responses = ({ convertResponse }) => rows("responses", convertResponse);

const cell = ({ shown }) => {
  if (!shown) return "";
  const codes = shown.map(({ code, path }) => `\`${code}\` ${path}`).join(", ");
  return `${shown.length}${codes && `: ${codes}`}`;
};

const table = (rows) => {
  const head = ["", ...Object.keys(targets).map((to) => `\`${to}\``)];
  const lines = rows.map(({ name, from, cells }) => [`${name} (\`${from}\`)`, ...cells.map(cell)]);
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
};

/** The page `docs/warnings.md`. */
export const page = (api) => `# Warnings of ordinary conversations

Written by \`npm run docs:warnings\` from the conversations in \`tests/ordinary\`. A cell has the number of warnings
at the default level, their codes and paths. [The levels](format.md#warnings) are fixed for each code.

## Requests

${table(requests(api))}
## Responses

${table(responses(api))}`;
