// docs/models.md: the facts of the models that the SDKs' types and the catalogues name.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { sdkModels } from "./sdks.mjs";
import { readSnapshot } from "./snapshot.mjs";

const file = join(root, "docs/models.md");

const TITLES = {
  gpt: "OpenAI: GPT",
  o: "OpenAI: o series",
  openai: "OpenAI: other names",
  claude: "Anthropic",
  gemini: "Google: Gemini",
  gemma: "Google: Gemma",
  grok: "xAI",
  deepseek: "DeepSeek",
  kimi: "Moonshot AI",
  glm: "Z.AI",
  mistral: "Mistral",
  magistral: "Mistral: Magistral",
};

const HEAD = `# Models

What models accept, as conversions know it: \`modelFacts(name, { to, platform, server })\` returns a row, and the option \`modelFacts\` overrides it
([What a model accepts](format.md#what-a-model-accepts)). An absent fact means that no limit is known. The rows, with their sources, are in
\`src/models\`. This page is written by \`npm run docs:models\`.

Where a host is named, it differs from the provider's own API. Names are shown without dates, prefixes and regions, which do not matter.
`;

const text = (facts) =>
  Object.entries(facts)
    .map(([name, value]) => `\`${name}\` ${Array.isArray(value) ? value.join(", ") || "none" : value}`)
    .join(" · ");

/** The name without what hosts add, for names that a page shows. */
const isPlain = (name) =>
  !/[/:@]|^[a-z-]+\.[a-z]+\.|^(?:anthropic|openai)\.|\d{4}-?\d{2}|-\d{3,}$|-\d{2}-\d{4}$/.test(name);

export function pageOf(modelFacts) {
  const names = new Set(
    [...sdkModels(), ...Object.values(readSnapshot()).flatMap(({ models }) => models)].map(({ model }) => model),
  );
  const families = new Map();
  for (const name of [...names].filter(isPlain).sort().reverse()) {
    const found = modelFacts(name, { to: "canonical" });
    if (!found?.known || !TITLES[found.family]) continue;
    const { family, known: _, ...facts } = found;
    const bedrock = modelFacts(name, { to: "anthropic", platform: "bedrock" });
    const other = Object.fromEntries(
      Object.entries(bedrock).filter(
        ([key, value]) => key in facts && text({ key: value }) !== text({ key: facts[key] }),
      ),
    );
    const vertex = modelFacts(name, { to: "vertexai" });
    const onVertex = Object.fromEntries(
      Object.entries(vertex).filter(
        ([key, value]) => key in facts && text({ key: value }) !== text({ key: facts[key] }),
      ),
    );
    const hosts = [
      ["Bedrock", other],
      ["Vertex AI", onVertex],
    ].filter(([, facts]) => Object.keys(facts).length > 0);
    const row = [
      text(facts) || "no limits are known",
      ...hosts.map(([host, facts]) => `on ${host}: ${text(facts)}`),
    ].join("; ");
    const rows = families.get(family) ?? new Map();
    rows.set(row, [...(rows.get(row) ?? []), name]);
    families.set(family, rows);
  }
  const sections = Object.entries(TITLES)
    .filter(([family]) => families.has(family))
    .map(([family, title]) => {
      const rows = [...families.get(family)].map(
        ([row, names]) => `| ${names.map((name) => `\`${name}\``).join(", ")} | ${row} |`,
      );
      return `\n## ${title}\n\n| models | facts |\n|---|---|\n${rows.join("\n")}\n`;
    });
  return HEAD + sections.join("");
}

export const writePage = (modelFacts) => writeFileSync(file, pageOf(modelFacts));

export const isUpToDate = (modelFacts) => readFileSync(file, "utf8") === pageOf(modelFacts);
