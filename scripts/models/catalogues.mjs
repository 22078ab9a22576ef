// What two public catalogues say about the models of our formats, as expected facts: `{ model, to, platform, facts }`. Only facts are taken.
//
// `litellm`: model_prices_and_context_window_backup.json of the PyPI wheel litellm (MIT). `pi`: dist/providers/data/*.json of the npm package
// @earendil-works/pi-ai (MIT).

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The providers whose formats we have, by the catalogue's name: `[dialect, platform, names]`. */
const LITELLM = {
  openai: ["openai"],
  azure: ["openai"],
  anthropic: ["anthropic"],
  "vertex_ai-anthropic_models": ["anthropic", "vertex"],
  bedrock_converse: ["anthropic", "bedrock", /claude/],
  gemini: ["gemini"],
  "vertex_ai-language-models": ["vertexai"],
  xai: ["openai"],
  deepseek: ["openai"],
  moonshot: ["openai", undefined, /kimi/],
  zai: ["openai"],
};
const PI = {
  openai: ["openai"],
  anthropic: ["anthropic"],
  google: ["gemini"],
  "google-vertex": ["vertexai"],
  "amazon-bedrock": ["anthropic", "bedrock", /claude/],
  xai: ["openai"],
  deepseek: ["openai"],
  moonshotai: ["openai", undefined, /kimi/],
  zai: ["openai"],
  mistral: ["openai", undefined, /^(?:mistral|magistral)-/],
};
/** What is no chat model. */
const OTHER =
  /embedding|moderation|whisper|tts|image|transcribe|realtime|live|dall-e|sora|audio|instruct|davinci|babbage|aqa|veo|native-audio/;

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The facts that LiteLLM's flags state. */
function ofLitellm(entry) {
  const has = (flag) => entry[`supports_${flag}`];
  const facts = {};
  if (entry.max_output_tokens) facts.maxOutput = entry.max_output_tokens;
  if (typeof has("assistant_prefill") === "boolean") facts.prefill = has("assistant_prefill");
  if (typeof has("forced_tool_use") === "boolean") facts.forcedCalls = has("forced_tool_use");
  if (typeof has("mid_conversation_system") === "boolean") facts.midSystem = has("mid_conversation_system");
  if (has("adaptive_thinking")) facts.adaptive = true;
  if (has("sampling_params") === false) facts.sampling = false;
  if (has("parallel_function_calling") === false) facts.parallelCalls = false;
  if (typeof has("reasoning") === "boolean") facts.reasons = has("reasoning");
  for (const effort of EFFORTS) {
    const flag = has(`${effort}_reasoning_effort`);
    if (typeof flag === "boolean") facts[`effort:${effort}`] = flag;
  }
  const endpoints = entry.supported_endpoints ?? [];
  if (endpoints.includes("/v1/responses") && !endpoints.includes("/v1/chat/completions")) facts.onlyResponses = true;
  return facts;
}

/** The facts that pi's compatibility flags and levels state. */
function ofPi(entry) {
  const facts = { maxOutput: entry.maxTokens, reasons: entry.reasoning };
  const { compat = {}, thinkingLevelMap = {} } = entry;
  if (compat.supportsTemperature === false) facts.sampling = false;
  if (compat.supportsMidConvoSystemMessages && entry.api === "anthropic-messages") facts.midSystem = true;
  if (compat.forceAdaptiveThinking) facts.adaptive = true;
  for (const [level, value] of Object.entries(thinkingLevelMap)) {
    if (level === "off") facts.off = value !== null;
    else facts[`effort:${level}`] = typeof value === "string" && value.toLowerCase() === level;
  }
  return facts;
}

export function litellmModels(catalogue) {
  const models = [];
  for (const [model, entry] of Object.entries(catalogue)) {
    const row = LITELLM[entry.litellm_provider];
    const isChat = ["chat", "responses"].includes(entry.mode) && entry.supports_function_calling;
    if (!row || !isChat || OTHER.test(model) || (row[2] && !row[2].test(model))) continue;
    models.push({ model, to: row[0], ...(row[1] && { platform: row[1] }), facts: ofLitellm(entry) });
  }
  return models;
}

export function piModels(files) {
  const models = [];
  for (const [provider, row] of Object.entries(PI)) {
    for (const [api, entries] of Object.entries(files[provider] ?? {})) {
      if (!/messages|completions|responses|google|converse|mistral/.test(api)) continue;
      for (const [key, entry] of Object.entries(entries)) {
        if (!key.startsWith("chat:") || OTHER.test(entry.id) || (row[2] && !row[2].test(entry.id))) continue;
        models.push({ model: entry.id, to: row[0], ...(row[1] && { platform: row[1] }), facts: ofPi(entry) });
      }
    }
  }
  return models;
}

/** The newest catalogues (or the versions that are named), from the package registries. */
export function download({ litellm = "litellm", pi = "@earendil-works/pi-ai@>=1.5.2" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "toolwire-models-"));
  const inFolder = { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] };
  try {
    execFileSync("pip", ["download", litellm, "--no-deps", "-q", "-d", "."], inFolder);
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
    const path = "litellm/model_prices_and_context_window_backup.json";
    const catalogue = JSON.parse(execFileSync("unzip", ["-p", wheel, path], inFolder));
    const packed = execFileSync("npm", ["pack", "--silent", pi], inFolder).trim().split("\n").at(-1);
    execFileSync("tar", ["xzf", packed], inFolder);
    const data = join(folder, "package/dist/providers/data");
    const read = (name) => [name.replace(".json", ""), JSON.parse(readFileSync(join(data, name), "utf8"))];
    const files = Object.fromEntries(readdirSync(data).map(read));
    const { version } = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
    return {
      litellm: { version: wheel.split("-")[1], models: litellmModels(catalogue) },
      pi: { version, models: piModels(files) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
