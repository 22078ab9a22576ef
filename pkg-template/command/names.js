// The name that was probably meant instead of an unknown one.

import { serverFacts } from "toolwire";
import { dialects } from "../../build/generated/facts.js";
import { nearest } from "../http/nearest.ts";

/** What people call a format, beside its name, and how the names of its models begin. */
const otherNames = {
  openai: { names: ["chat", "chat-completions", "chatgpt", "openai-compatible"], models: /^(?:gpt|chatgpt|o\d)/ },
  "openai-responses": { names: ["responses", "response", "codex"] },
  anthropic: { names: ["messages", "claude-code", "sonnet", "opus", "haiku"], models: /^claude/ },
  bedrock: { names: ["aws", "amazon", "amazon-bedrock", "converse", "nova"] },
  gemini: { names: ["google", "google-genai", "genai", "google-ai"], models: /^gem(?:ini|ma)/ },
  "gemini-interactions": { names: ["interactions", "google-interactions"] },
  mistral: { names: ["mistralai", "mistral-ai"] },
  cohere: { names: ["cohere-ai", "command-a"], models: /^command-/ },
  vertexai: { names: ["vertex", "vertex-ai", "google-vertex"] },
  ollama: { names: ["llama"] },
};

/** A sentence about an unknown format, or an empty text. */
export function meantDialect(flag, name) {
  const plain = name.toLowerCase();
  const entries = Object.entries(otherNames);
  const [own] =
    entries.find(([, { names }]) => names.includes(plain)) ??
    entries.find(([, { models }]) => models?.test(plain)) ??
    [];
  if (own) return did(`--${flag} ${own}`);
  if (isServer(plain)) return did(flag === "to" ? `--to openai --server ${plain}` : `--${flag} openai`);
  return meant(name, dialects, `--${flag} `);
}

/** The nearest of these names, as a question, or an empty text. */
export function meant(name, known, before = "") {
  const near = nearest(name, known);
  return near === undefined ? "" : did(before + near);
}

const did = (what) => `. Did you mean ${what}?`;

function isServer(server) {
  try {
    return ["openai", "anthropic"].some((to) => serverFacts({ server, to }) !== undefined);
  } catch {
    return false;
  }
}
