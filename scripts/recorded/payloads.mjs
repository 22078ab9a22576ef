import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed } from "../lib/run.mjs";

export const dialects = [
  ...["openai", "openai-responses", "anthropic", "bedrock", "gemini", "gemini-interactions", "mistral", "cohere"],
  "ollama",
];

/** The key under `metadata` of each dialect's provider. */
export const providerOf = {
  openai: "openai",
  "openai-responses": "openai",
  anthropic: "anthropic",
  bedrock: "bedrock",
  gemini: "google",
  "gemini-interactions": "google",
  mistral: "mistral",
  cohere: "cohere",
  ollama: "ollama",
};

/** Folders with payloads of other hosts of a dialect's models, by dialect. They may be missing. */
const hosted = { "anthropic-bedrock": "anthropic", "anthropic-vertex": "anthropic" };

/** Dialects whose folders may be missing, because nothing was recorded. Generated payloads are checked instead. */
const mayBeMissing = new Set([...Object.keys(hosted), "gemini-interactions", "mistral", "cohere", "ollama"]);

/** `[{ dialect, kind: "request" | "response", file, text, body }]`, sorted. */
export function readPayloads(folder) {
  const payloads = [];
  for (const provider of [...dialects, ...Object.keys(hosted)]) {
    const dialect = hosted[provider] ?? provider;
    for (const kind of ["request", "response"]) {
      const place = join(folder, provider, kind);
      if (!existsSync(place)) {
        if (mayBeMissing.has(provider)) continue;
        throw new CommandFailed(`${place} is missing`);
      }
      const names = readdirSync(place).filter((name) => name.endsWith(".json"));
      for (const name of names.sort()) {
        const text = readFileSync(join(place, name), "utf8");
        payloads.push({ dialect, kind, file: `${provider}/${kind}/${name}`, text, body: JSON.parse(text) });
      }
    }
  }
  if (payloads.length === 0) throw new CommandFailed(`no payloads below ${folder}`);
  return payloads;
}

/** `[{ dialect, file, events }]`: a recorded stream is the array of its events. */
export function readStreams(folder) {
  return [...dialects, ...Object.keys(hosted)].flatMap((provider) => {
    const place = join(folder, provider, "stream");
    if (!existsSync(place)) return [];
    const names = readdirSync(place).filter((name) => name.endsWith(".json"));
    return names.sort().map((name) => ({
      dialect: hosted[provider] ?? provider,
      file: `${provider}/stream/${name}`,
      events: JSON.parse(readFileSync(join(place, name), "utf8")),
    }));
  });
}

export function converter(toolwire, kind) {
  return kind === "request" ? toolwire.convertRequest : toolwire.convertResponse;
}

/**
 * Recorded bodies of Anthropic may be for the older API version, which has sampling settings. For the newer version, they would be
 * dropped.
 */
export const asRecorded = { anthropicVersion: "2023-06-01" };
