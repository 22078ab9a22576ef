// The names of models in the types of the official SDKs, and those that the SDKs call deprecated.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

const read = (path) => readFileSync(join(root, "node_modules", path), "utf8");

/** The string literals of a type alias. */
function literals(source, declaration) {
  const [, union] = source.match(new RegExp(`${declaration} =([^;]+);`)) ?? [];
  if (union === undefined) throw new Error(`no type ${declaration}`);
  return [...union.matchAll(/['"]([^'"]+)['"]/g)].map(([, name]) => name);
}

/** `{ model, to }` for each name of the SDKs' types. */
export function sdkModels() {
  const openai = read("openai/resources/shared.d.ts");
  const names = {
    openai: [...literals(openai, "export type ChatModel"), ...literals(openai, "export type ResponsesModel")],
    anthropic: literals(read("@anthropic-ai/sdk/resources/messages/messages.d.ts"), "export type Model"),
    gemini: literals(read("@google/genai/dist/genai.d.ts"), "declare type Model_2"),
  };
  return Object.entries(names).flatMap(([to, models]) => [...new Set(models)].map((model) => ({ model, to })));
}

/** The deprecated names, with the date or reason. */
export function deprecatedModels() {
  const deprecated = new Map();
  const [, openai] = read("openai/resources/shared.d.ts").match(/Deprecated values:([\s\S]*?)\*\//);
  for (const item of openai.replace(/\n \* */g, " ").split(" - ")) {
    const why = item.match(/Announced shutdown date:\s*([\d-]+)/)?.[1] ?? "not supported";
    for (const [, name] of item.matchAll(/"([^"]+)"/g)) deprecated.set(name, why);
  }
  const sdk = read("@anthropic-ai/sdk/internal/data/deprecated-models.mjs");
  const [, list] = sdk.match(/DEPRECATED_MODELS = \{([^}]*)\}/);
  for (const [, name, date] of list.matchAll(/'([^']+)': '([^']+)'/g)) deprecated.set(name, date);
  return deprecated;
}
