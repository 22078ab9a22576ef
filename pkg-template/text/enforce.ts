// Enforces the form of a response: the request fields for each server, and warnings about what a server does not
// enforce.

import {
  type ChatRequest,
  type Dialect,
  type JsonSchema,
  type ToolDefinition,
  ToolwireError,
  type Warning,
} from "#conversions";
import type { SchemaConverter } from "#core";
import { bases } from "../../build/generated/facts.js";
import { carried, requiredChoice } from "./carrier.js";
import { callCore } from "./core/instance.js";
import { type GrammarOptions, toolGrammar } from "./grammar.js";

/** The destination of a request, if known. */
export interface SimulationTarget {
  /** The format of the server. */
  to?: Dialect;
}

export interface EnforceOption {
  /**
   * Enforces the form of the output. `auto` uses what the target is known to support (JSON mode, or the schema of
   * Ollama) and is the default for format `json`. A warning reports what the given server does not enforce.
   */
  enforce?: Enforcement;
}

/**
 * What makes the server accept only valid responses: nothing, its JSON mode or JSON Schema, or the grammars of an
 * engine. docs/simulated-tools.md lists what each can enforce.
 */
export type Enforcement = "none" | "auto" | Engine;
export type Engine =
  | "jsonMode"
  | "jsonSchema"
  | "openai"
  | "vllm"
  | "sglang"
  | "llama.cpp"
  | "ollama"
  | "tgi"
  | "lmstudio";

interface Server {
  /** The name in messages. */
  name: string;
  /** How grammars are passed. Without it, the server enforces only JSON. */
  grammar?: { syntax: GrammarOptions["syntax"]; fields?: (grammar: unknown) => object };
  /** Whether the grammar is that of a tool's input, which carries the calls. Text around it is free. */
  hasCarrier?: boolean;
  /** What converts its schemas. Without it, the schema is passed as it is. */
  converter?: SchemaConverter;
  /** Whether enforcement starts at the first token, so that the model can't reason first. */
  startsAtOnce?: boolean;
}

const servers: { readonly [name in Engine]: Server } = {
  jsonMode: { name: "JSON mode" },
  jsonSchema: { name: "A response schema" },
  openai: { name: "OpenAI", grammar: { syntax: "openai" }, hasCarrier: true },
  ollama: { name: "Ollama", converter: "llama.cpp" },
  lmstudio: { name: "LM Studio", converter: "llama.cpp", startsAtOnce: true },
  tgi: { name: "TGI", converter: "outlines", startsAtOnce: true },
  vllm: {
    name: "vLLM",
    converter: "xgrammar",
    grammar: {
      syntax: "structuralTag",
      fields: (tag) => ({ structured_outputs: { structural_tag: JSON.stringify(tag) } }),
    },
  },
  sglang: { name: "SGLang", converter: "xgrammar", grammar: { syntax: "gbnf", fields: (ebnf) => ({ ebnf }) } },
  "llama.cpp": {
    name: "llama.cpp",
    converter: "llama.cpp",
    grammar: { syntax: "gbnf", fields: (grammar) => ({ grammar }) },
    startsAtOnce: true,
  },
};

/** What each request format is known to support. Variants support what their dialects do. */
const known: { readonly [name in Dialect]?: Engine } = {
  openai: "jsonMode",
  "openai-responses": "jsonMode",
  gemini: "jsonMode",
  ollama: "ollama",
};

/** @throws ToolwireError for an unknown value, or one that is incompatible with the format */
export function checkEnforcement({ enforce }: EnforceOption, format: string): void {
  if (enforce === undefined || enforce === "none" || enforce === "auto") return;
  const server = Object.hasOwn(servers, enforce) ? servers[enforce] : undefined;
  if (!server) {
    const message = `\`enforce\` must be none, auto, ${Object.keys(servers).join(", ")}`;
    throw new ToolwireError("invalid_value", message, "/enforce");
  }
  if (server.grammar || format === "json" || format === "auto") return;
  const message = `${server.name} enforces JSON, not \`${format}\`: use the format json, or leave \`enforce\` out`;
  throw new ToolwireError("invalid_value", message, "/enforce");
}

/** The engine that enforces responses, or undefined if none does. `format` is the text format that the model writes. */
export function engineOf({ enforce }: EnforceOption, format: string, { to }: SimulationTarget): Engine | undefined {
  const asked = enforce ?? (format === "json" ? "auto" : "none");
  if (asked === "none") return undefined;
  if (asked !== "auto") return asked;
  const engine = to && known[(bases[to] ?? to) as Dialect];
  return engine && (format === "json" || servers[engine].grammar) ? engine : undefined;
}

/** What carries the calls of a response: its text in the format, a JSON object, or the input of a tool. */
export type Carrier = "text" | "object" | "tool";

export function carrierOf(engine: Engine | undefined, format: string): Carrier {
  if (engine === undefined) return "text";
  const { grammar, hasCarrier } = servers[engine];
  if (hasCarrier) return "tool";
  return grammar && format !== "json" ? "text" : "object";
}

/** What is enforced, and its location in the request. */
export interface Enforced {
  path: string;
  name?: string;
  description?: string;
  strict?: boolean;
  /** The schema of the response, composed of the request's schemas after `fit`. Undefined means any JSON. */
  schema(fit: (schema: JsonSchema, path: string) => JsonSchema): JsonSchema | undefined;
}

/** Adds the fields that make a server enforce the response, and warnings about what it does not enforce. */
export function enforced(request: ChatRequest, engine: Engine, what: Enforced, { enforce }: EnforceOption) {
  const { warnings, warn } = reporter(request, engine, enforce);
  const fit = (schema: JsonSchema, path: string) => {
    const { converter } = servers[engine];
    if (!converter) return schema;
    const fitted = JSON.parse(callCore((core) => core.serverSchema(JSON.stringify(schema), converter)));
    for (const { path: at, message } of fitted.warnings)
      warn("strict_dropped", path + at, `does not enforce all, so it was left out: ${message}`);
    return fitted.schema;
  };
  return { request: { ...request, ...fieldsOf(request, engine, what, fit, warn) }, warnings };
}

/**
 * As `enforced`, for text in a format: the calls that the request allows, and text around them. `carrier` is the name of
 * the tool whose input is the calls, if there is one.
 */
export function enforcedByGrammar(
  request: ChatRequest,
  engine: Engine,
  asked: ChatRequest & { format: string; carrier?: string },
  { enforce }: EnforceOption,
) {
  const { warnings, warn } = reporter(request, engine, enforce);
  const { grammar } = servers[engine];
  if (!grammar) return { request, warnings };
  const { format, carrier, parallelToolCalls } = asked;
  const toolChoice = carrier === undefined ? asked.toolChoice : requiredChoice(asked.toolChoice);
  const made = toolGrammar(asked.tools as ToolDefinition[], {
    ...{ syntax: grammar.syntax, format },
    ...(toolChoice !== undefined && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
  });
  for (const { path, message } of made.warnings)
    warn("strict_dropped", `/tools${path}`, `does not enforce all: ${message}`);
  if (carrier !== undefined)
    return { request: carried(request, carrier, String(made.grammar), asked.toolChoice), warnings };
  return {
    request: { ...request, metadata: withOwn(request.metadata, grammar.fields?.(made.grammar) ?? {}) },
    warnings,
  };
}

/** Fields that only OpenAI-compatible servers have. */
const withOwn = (metadata: ChatRequest["metadata"], fields: object) => ({
  ...metadata,
  openai: { ...(metadata?.openai as object), ...fields },
});

function reporter(request: ChatRequest, engine: Engine, enforce: Enforcement | undefined) {
  const warnings: Warning[] = [];
  const { name, startsAtOnce } = servers[engine];
  // with `auto`, the caller did not request a specific engine
  const lossy = enforce === engine;
  const level = lossy ? "loss" : "change";
  const warn = (code: Warning["code"], path: string, message: string) =>
    warnings.push({ code, path, message: `${name} ${message}`, lossy, level, dialect: "canonical" });
  if (startsAtOnce && request.reasoning && request.reasoning.effort !== "none")
    warn("setting_changed", "/reasoning", "enforces from the first token on: the model can't reason before");
  return { warnings, warn };
}

function fieldsOf(
  { metadata }: ChatRequest,
  engine: Engine,
  what: Enforced,
  fit: (schema: JsonSchema, path: string) => JsonSchema,
  warn: (code: Warning["code"], path: string, message: string) => void,
): Partial<ChatRequest> {
  const json = { responseFormat: { type: "json" } } as const;
  const schema = engine === "jsonMode" ? undefined : what.schema(fit);
  if (engine === "jsonMode") warn("strict_dropped", what.path, "enforces JSON only, whatever the schemas");
  if (schema === undefined) return json;
  if (engine === "tgi") return { ...json, metadata: withOwn(metadata, { response_format: { value: schema } }) };
  const {
    name = "response",
    description,
    strict = ["jsonSchema", "openai"].includes(engine) ? true : undefined,
  } = what;
  return {
    responseFormat: {
      ...{ type: "jsonSchema", name, schema },
      ...(description !== undefined && { description }),
      ...(strict !== undefined && { strict }),
    },
  };
}
