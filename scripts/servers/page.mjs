// docs/servers.md: the facts about the servers of the table.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

const file = join(root, "docs/servers.md");

/** The formats that other servers than the provider's have. */
const FORMATS = { openai: "Chat Completions", "openai-responses": "Responses", anthropic: "Anthropic Messages" };

const HEAD = `# Servers

Servers whose format is nearly OpenAI's or Anthropic's: what they accept, require and return otherwise. The option \`server\` names one
([Servers of the same format](format.md#servers-of-the-same-format)). \`serverFacts({ server, to })\` returns a row, and \`serverOf(baseUrl)\` the server
behind a URL. An absent fact means: as the provider's own API. The rows, with their sources, are in \`src/servers\`. This page is written by
\`npm run docs:servers\`.

A server that is not listed has a *profile*: the name of the server that it is most like as \`base\`, and the facts that differ. For example
\`server: { base: "vllm", tokenLimit: "max_completion_tokens" }\`.
`;

/** The interface of facts in the declarations of the package: [name, type, description]. */
function vocabulary() {
  const types = readFileSync(join(root, "pkg/dist/index.d.ts"), "utf8");
  const [, body] = types.match(/^export interface ServerFacts \{\n(.*?)^\}/ms);
  const fields = body.matchAll(/\/\*\*\n(.*?)\*\/\n\s*(\w+)\?: ([^\n]*);/gs);
  return [...fields].map(([, text, name, type]) => [name, type, text.replaceAll(/^ *\* ?/gm, "").trim()]);
}

/** The names of the servers, in the order of the table. */
export function serverNames() {
  const types = readFileSync(join(root, "pkg/dist/index.d.ts"), "utf8");
  const [, names] = types.match(/^export type Server = (.*);$/m);
  return names.split(" | ").map(JSON.parse);
}

const text = (facts) =>
  Object.entries(facts)
    .map(([name, value]) => `\`${name}\` ${Array.isArray(value) ? `[${value.join(", ")}]` : value}`)
    .join(" · ");

function rowOf(serverFacts, server) {
  const apis = Object.keys(FORMATS)
    .map((to) => [to, serverFacts({ server, to })])
    .filter(([, facts]) => facts !== undefined);
  const [, { key }] = apis[0];
  const cell = ([to, { url, key: _, ...facts }]) => {
    const address = url ? `<${url}>` : "an address of its own";
    return `**${FORMATS[to]}**: ${[address, text(facts)].filter(Boolean).join(" · ")}`;
  };
  return `| \`${server}\` | ${key ? `\`${key}\`` : ""} | ${apis.map(cell).join("<br>")} |`;
}

export function pageOf({ serverFacts }) {
  const facts = vocabulary().map(
    ([name, type, about]) => `| \`${name}\` | \`${type.replaceAll("|", "\\|")}\` | ${about.replaceAll("\n", " ")} |`,
  );
  const rows = serverNames().map((server) => rowOf(serverFacts, server));
  return `${HEAD}
## Facts

| fact | values | meaning |
|---|---|---|
${facts.join("\n")}

## Rows

| server | key | formats, base URLs and facts |
|---|---|---|
${rows.join("\n")}
`;
}

export const writePage = (toolwire) => writeFileSync(file, pageOf(toolwire));

export const isUpToDate = (toolwire) => readFileSync(file, "utf8") === pageOf(toolwire);
