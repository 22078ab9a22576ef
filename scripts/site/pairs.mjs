// A page for each pair of formats, from the vectors, the quirks, and what the package does with the vectors' bodies.

import { format } from "node:util";
import { dialects } from "../lib/dialects.mjs";
import { findingsOf } from "./pair-findings.mjs";
import { programOf } from "./pair-program.mjs";

const formats = dialects.filter(({ suffix }) => suffix);

export const pairs = () =>
  formats.flatMap((from) =>
    formats.filter((to) => to !== from).map((to) => ({ from, to, name: `${from.name}-to-${to.name}` })),
  );

const short = { openai: "OpenAI", vertexai: "Vertex AI" };
const titleOf = ({ name, title }) => short[name] ?? title;

/** `[{ address, title, description, text }]`. `toolwire` is the package, `facts` what the vectors and the quirks contain. */
export async function pairPages(toolwire, facts) {
  const pages = [];
  for (const pair of pairs()) pages.push(await pairPage(pair, toolwire, facts));
  return pages;
}

async function pairPage(pair, toolwire, facts) {
  const [from, to] = [pair.from, pair.to].map(titleOf);
  const title = `${from} to ${to}`;
  const description = `How a request of ${pair.from.documented} becomes one of ${pair.to.documented}, and what comes back: code, what converts, and what does not.`;
  const code = programOf(pair, toolwire);
  const findings = findingsOf(pair, toolwire, facts);
  const text = [
    `# ${title}`,
    `A request for ${pair.from.documented} is sent to ${pair.to.documented}, and the response comes back in the format of the request. [The other direction](${pair.to.name}-to-${pair.from.name}.md).`,
    "## In code",
    `\`\`\`ts\n${code}\`\`\``,
    "It prints:",
    `\`\`\`text\n${await printedBy(code, toolwire)}\`\`\``,
    "A stream is converted while it arrives:",
    `\`\`\`ts\n${streamCode(pair)}\`\`\``,
    "## What converts",
    findings.topics,
    "## What is changed or left out",
    findings.changes,
    "## What is refused",
    findings.errors,
    "## Quirks of this pair",
    findings.quirks,
    "## See also",
    seeAlso(pair),
  ].join("\n\n");
  return {
    file: `docs/${pair.name}.md`,
    address: `/${pair.name}`,
    title,
    description,
    search: "intro",
    text: `${text}\n`,
  };
}

const streamCode = ({ from, to }) => `import { convertStream } from "toolwire";

/** The response of ${to.documented}, as a client of ${from.documented} reads it. */
export const converted = (body: ReadableStream<Uint8Array>) =>
  body.pipeThrough(convertStream({ from: "${to.name}", to: "${from.name}", onWarning: console.warn }).transform());
`;

const seeAlso = ({ from, to }) => {
  const wire = (dialect) => `[${dialect.documented}](wire/${wirePages[dialect.name]}.md)`;
  return `- What the code relies on: ${wire(from)}, ${wire(to)}
- [The codes of warnings](codes.md), [what a conversion does](format.md), and [what models accept](models.md)
- [Streams](streams.md): what is held back, and why`;
};

const wirePages = {
  openai: "openai",
  mistral: "mistral",
  cohere: "cohere",
  "openai-responses": "openai-responses",
  anthropic: "anthropic",
  bedrock: "bedrock",
  gemini: "gemini",
  vertexai: "gemini",
  "gemini-interactions": "gemini-interactions",
  ollama: "ollama",
};

/** Runs a program whose only import is the package, and returns what it prints. */
async function printedBy(code, toolwire) {
  let printed = "";
  const print = (...values) => (printed += `${format(...values)}\n`);
  // Imported here: `npm test` reads this file before it installs the packages.
  const { transformSync } = await import("esbuild");
  const { code: script } = transformSync(code, { loader: "ts" });
  const body = script.replace(/^import (\{[^}]*\}) from "toolwire";/m, "const $1 = toolwire;");
  new Function("toolwire", "console", body)(toolwire, { log: print });
  return printed;
}
