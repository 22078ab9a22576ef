// What enforces the form of a response: the fields of a request, by server, and what the server will not enforce.

import { type ChatRequest, type Dialect, type ToolDefinition, ToolwireError, type Warning } from "#conversions";
import { callCore } from "./core/instance.js";
import { responseSchema } from "./response-schema.js";
import type { SimulationOptions } from "./simulate.js";
import { enforceable } from "./unenforced.js";

/** Where a request goes, as far as it is known. */
export interface SimulationTarget {
  to?: Dialect;
}

export type Enforcement = "none" | "auto" | Engine;
export type Engine = "jsonMode" | "jsonSchema" | "vllm" | "sglang" | "llama.cpp" | "ollama" | "tgi" | "lmstudio";

interface Server {
  /** What it is called in messages. */
  name: string;
  /** It enforces JSON, but no grammars. */
  isJsonOnly?: boolean;
  /** It enforces from the first token on, so that the model can't reason before. */
  startsAtOnce?: boolean;
}

const servers: { readonly [name in Engine]: Server } = {
  jsonMode: { name: "JSON mode", isJsonOnly: true },
  jsonSchema: { name: "A response schema", isJsonOnly: true },
  ollama: { name: "Ollama", isJsonOnly: true },
  lmstudio: { name: "LM Studio", isJsonOnly: true, startsAtOnce: true },
  tgi: { name: "TGI", isJsonOnly: true, startsAtOnce: true },
  vllm: { name: "vLLM" },
  sglang: { name: "SGLang" },
  "llama.cpp": { name: "llama.cpp", startsAtOnce: true },
};

/** What each format of requests is known to support. */
const known: { readonly [name in Dialect]?: Engine } = {
  openai: "jsonMode",
  "openai-responses": "jsonMode",
  gemini: "jsonMode",
  vertexai: "jsonMode",
  ollama: "ollama",
};

/** @throws ToolwireError for a value that is none, or that does not go with the format */
export function checkEnforcement({ enforce, format }: SimulationOptions): void {
  if (enforce === undefined || enforce === "none" || enforce === "auto") return;
  const server = Object.hasOwn(servers, enforce) ? servers[enforce] : undefined;
  if (!server) {
    const message = `\`enforce\` must be none, auto, ${Object.keys(servers).join(", ")}`;
    throw new ToolwireError("invalid_value", message, "/enforce");
  }
  if (!server.isJsonOnly || format === "json" || format === "auto") return;
  const message = `${server.name} enforces JSON, not \`${format}\`: use the format json, or leave \`enforce\` out`;
  throw new ToolwireError("invalid_value", message, "/enforce");
}

/** What enforces the response to a request; undefined if nothing does. */
export function engineOf(
  options: SimulationOptions,
  request: ChatRequest,
  { to }: SimulationTarget,
): Engine | undefined {
  if (!request.tools?.length || request.toolChoice === "none") return undefined;
  const trained = options.format === "auto" ? formatOf(request.model) : options.format;
  const { enforce = trained === "json" ? "auto" : "none" } = options;
  if (enforce === "none") return undefined;
  if (enforce !== "auto") return enforce;
  const engine = to && known[to];
  return engine && (trained === "json" || !servers[engine].isJsonOnly) ? engine : undefined;
}

const formatOf = (model = "") => callCore((core) => core.textFormatOf(model)) ?? "json";

/** The fields that make the server enforce the response to a request whose tools are simulated already. */
export function enforced(simulated: ChatRequest, asked: ChatRequest, engine: Engine, { enforce }: SimulationOptions) {
  const warnings: Warning[] = [];
  // nobody asked for more than what `auto` finds
  const lossy = enforce === engine;
  const warn = (code: Warning["code"], path: string, message: string) =>
    warnings.push({ code, path, message, lossy, dialect: "canonical" });
  const { name, startsAtOnce } = servers[engine];
  const effort = asked.reasoning?.effort;
  if (startsAtOnce && asked.reasoning && effort !== "none")
    warn("setting_changed", "/reasoning", `${name} enforces from the first token on: the model can't reason before`);
  return { request: { ...simulated, ...fields(simulated, asked, engine, warn) }, warnings };
}

function fields(
  simulated: ChatRequest,
  asked: ChatRequest,
  engine: Engine,
  warn: (code: Warning["code"], path: string, message: string) => void,
): Partial<ChatRequest> {
  const { name } = servers[engine];
  if (engine === "jsonMode") {
    warn("strict_dropped", "/tools", `${name} enforces JSON only: names and arguments are as the model writes them`);
    return { responseFormat: { type: "json" } };
  }
  const tools = (asked.tools as ToolDefinition[]).map((tool, index) => {
    const { schema, unenforced } = enforceable(tool.parameters ?? {}, engine);
    for (const { path, keyword, isRemoved } of unenforced) {
      const why = isRemoved ? "refuses this bound, so it was left out" : "does not enforce this";
      warn("strict_dropped", `/tools/${index}/parameters${path}`, `${name} ${why}: \`${keyword}\``);
    }
    return { ...tool, parameters: schema };
  });
  const schema = responseSchema(tools, asked);
  if (engine !== "tgi")
    return {
      responseFormat: {
        type: "jsonSchema",
        name: "response",
        schema,
        ...(engine === "jsonSchema" && { strict: true }),
      },
    };
  const own = { ...(simulated.metadata?.openai as object), response_format: { value: schema } };
  return { responseFormat: { type: "json" }, metadata: { ...simulated.metadata, openai: own } };
}
