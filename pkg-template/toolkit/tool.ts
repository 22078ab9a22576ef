// The definition of a tool, and the types of its arguments.

import type { ContentBlock, JsonSchema, Message, Metadata, ToolCall, Usage } from "toolwire";
import type { ParameterDefinition } from "#core";
import type { StandardSchema } from "./standard-schema.js";

/** The permissions, costs and restrictions of a tool. Every field is optional. The defaults restrict nothing. */
export interface ToolPolicy<Args = any, AppContext = any> {
  /** For your own use. It is not sent to a model. */
  version?: string;
  /** A filter can select tools by category. */
  category?: string;
  /** Timeout of one attempt in milliseconds. Default 30 000. */
  timeoutMs?: number;
  /**
   * A number n below 100: at least 60/n seconds between two calls of the same session (and agent). A number of 100 or
   * more: no limit. An object: at most `calls` calls in any window of `perMs` milliseconds. Calls without a session share
   * one key per toolkit.
   */
  rateLimit?: number | { calls: number; perMs: number };
  /** If the limit is exceeded: return an error result (`reject`, the default), or `wait` while time remains. */
  onRateLimit?: "reject" | "wait";
  /** Omitted from `definitions()` and rejected by `run()` unless the filter allows it. Requires approval by default. */
  dangerous?: boolean;
  /** Whether the call requires approval before it runs. Default: the value of `dangerous`. */
  needsApproval?: boolean | ((args: Args, call: ToolCall, context: AppContext) => boolean | Promise<boolean>);
  /** Runs only calls that `authorize` allows. */
  requiresAuth?: boolean;
  /** In any unit. Summed per run over all attempts, and checked against the run's `maxCost`. Default 0. */
  costPerUse?: number;
  /** Runs the tool in a worker that can be stopped and has limited resources. `execute` must come from `inWorker`. */
  sandboxed?: boolean;
  /** Heap limit of a sandboxed tool in Node, in megabytes. Default 512. */
  memoryLimitMb?: number;
  /** If false, a call never runs at the same time as another call of this tool. Default true. */
  parallel?: boolean;
  /** Retries after an error that the arguments did not cause, with exponential backoff. Default 0. */
  maxRetries?: number;
  /**
   * If false, a call that started but has no known outcome (a timeout, a crash) is not run again without approval.
   * Default: true unless `dangerous`.
   */
  idempotent?: boolean;
  /**
   * Maximum length of a text or JSON result in characters. Longer results keep start and end, with a note to the model.
   * Default 50 000.
   */
  maxResultLength?: number;
}

/** The fields that all tools have. */
export interface ToolBase<Args, AppContext> extends ToolPolicy<Args, AppContext> {
  /** Letters, digits, `_` and `-`, at most 64 for all providers. */
  name: string;
  /** Human-readable title. */
  title?: string;
  /** What the tool does and when to use it, for the model. */
  description?: string;
  /** Whether the provider should enforce the schema. */
  strict?: boolean;
  /** JSON Schema of the result. If present, results are checked against it (`invalid_output`). */
  outputSchema?: JsonSchema;
  /** Example arguments, for providers that accept them. */
  inputExamples?: readonly Args[];
  /** Fields that only one provider has, by provider. */
  metadata?: Metadata;
  /**
   * If absent, the caller must supply the results (`external`), and a run ends with these calls pending. The return
   * value is converted to the result: a string becomes `text`, the value of `multimodal()` becomes `multimodal`, a
   * `{kind, value, metadata?}` is used unchanged, an MCP `CallToolResult` is converted according to its content, and
   * anything else becomes `data`. A value that JSON can't represent is an `invalid_output` error. A generator
   * yields progress. Its result is its return value or, if there is none, the last value that it yielded.
   */
  execute?(args: Args, call: CallContext<AppContext>): unknown;
  /** Converts the output of `execute` to the result for the model. */
  toResult?(output: any, call: CallContext<AppContext>): unknown;
}

/** A tool: its definition, its policy, and its function. docs/guides/tools.md shows how to define one. */
export interface Tool<Args = any, AppContext = any> extends ToolBase<Args, AppContext> {
  /**
   * JSON Schema of the arguments, parameter definitions, or a Standard Schema. Without it, the tool has no arguments.
   */
  parameters?: { readonly [keyword: string]: unknown } | readonly ParameterDefinition[] | StandardSchema<Args>;
  /** The same as `parameters`, as other libraries spell it. */
  inputSchema?: { readonly [keyword: string]: unknown } | StandardSchema<Args>;
}

/** What `execute` receives besides the arguments. */
export interface CallContext<AppContext> {
  /** The call, with the arguments that it runs with. */
  call: ToolCall;
  /** Aborted when the call times out or the run is cancelled. */
  signal: AbortSignal;
  /** The option `context` of the run. */
  context: AppContext;
  /** The option `sessionId` of the run. */
  sessionId?: string;
  /** The option `agentId` of the run. */
  agentId?: string;
  /** The conversation so far, in an agent run. */
  messages: readonly Message[];
  /** The number of the request in an agent run, from 1. Otherwise 0. */
  iteration: number;
  /** 1 for the first attempt. */
  attempt: number;
  /** Identical for every attempt of this call, including attempts after a crash. */
  idempotencyKey: string;
  /** Adds to the usage of the run, for a tool that calls a model itself. */
  addUsage(usage: Usage): void;
}

type Primitive<Type> = Type extends "string"
  ? string
  : Type extends "integer" | "number" | "float"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "array"
        ? any[]
        : Record<string, any>;

/** The arguments type of parameter definitions. */
export type ArgumentsOf<Definitions extends readonly ParameterDefinition[]> = {
  [Each in Definitions[number] as Each["name"]]: Each extends { required: false }
    ? Primitive<Each["type"]> | undefined
    : Primitive<Each["type"]>;
};

/**
 * Returns its argument unchanged, and infers the type of `args`: the output type of a Standard Schema, the types of
 * parameter definitions, or else a record of `any`.
 */
export function tool<Output, AppContext = any>(
  definition: ToolBase<Output, AppContext> & { parameters: StandardSchema<Output> },
): Tool<Output, AppContext>;
export function tool<const Definitions extends readonly ParameterDefinition[], AppContext = any>(
  definition: ToolBase<ArgumentsOf<Definitions>, AppContext> & { parameters: Definitions },
): Tool<ArgumentsOf<Definitions>, AppContext>;
export function tool<Args = Record<string, any>, AppContext = any>(
  definition: ToolBase<Args, AppContext> & { parameters?: { readonly [keyword: string]: unknown } },
): Tool<Args, AppContext>;
export function tool(definition: Tool): Tool {
  return definition;
}

/** The value of `multimodal()`. */
export interface Multimodal {
  readonly kind: "multimodal";
  readonly value: ContentBlock[];
}

/** Marks blocks (text, images, documents) as a multimodal result. */
export function multimodal(blocks: ContentBlock[]): Multimodal {
  return { kind: "multimodal", value: blocks };
}
