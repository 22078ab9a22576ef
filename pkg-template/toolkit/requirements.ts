// The names and types of fields and options, for programs that no compiler checks.

import type { PruneOptions } from "./agent/history.js";
import type { AgentOptions, ResumeOptions } from "./agent/options.js";
import type { AgentResponseOptions } from "./agent/response.js";
import { callCore } from "./core/instance.js";
import { textOf } from "./core/texts.js";
import { ToolkitError } from "./errors.js";
import type { RunOptions } from "./execution.js";
import type { McpToolsOptions } from "./mcp.js";
import type { SendTarget } from "./send/send-to.js";
import type { Tool } from "./tool.js";
import type { ToolkitOptions } from "./toolkit.js";

interface Rule {
  readonly expected: string;
  /** Whether errors must not contain the value. */
  readonly isSecret?: boolean;
  holds(value: unknown): boolean;
}

/** The rules of all options that a type has. */
type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule };

/** For what is checked elsewhere. */
const any: Rule = { expected: "", holds: () => true };
const object: Rule = { expected: "an object", holds: (value) => typeof value === "object" && !Array.isArray(value) };
const flag: Rule = { expected: "a boolean", holds: (value) => typeof value === "boolean" };
const code: Rule = { expected: "a function", holds: (value) => typeof value === "function" };
const text: Rule = { expected: "a string", holds: (value) => typeof value === "string" };
const amount: Rule = {
  expected: "a number that is not negative",
  holds: (value) => typeof value === "number" && value >= 0,
};
const positive: Rule = {
  expected: "a number greater than 0",
  holds: (value) => typeof value === "number" && value > 0,
};
/** Zero or less is a time limit that is over. */
const time: Rule = {
  expected: "a number",
  holds: (value) => typeof value === "number" && !Number.isNaN(value),
};

const count = (least: number): Rule => ({
  expected: `an integer of at least ${least}`,
  holds: (value) => Number.isInteger(value) && (value as number) >= least,
});

const either = (one: Rule, other: Rule): Rule => ({
  expected: `${one.expected} or ${other.expected}`,
  holds: (value) => one.holds(value) || other.holds(value),
});

const word = (...words: readonly string[]): Rule => ({
  expected: words.map((each) => JSON.stringify(each)).join(" or "),
  holds: (value) => words.includes(value as string),
});

/** The Rust core checks those with the rule `any`. */
export const ofTool: Rules<Tool> = {
  name: any,
  title: any,
  description: any,
  strict: any,
  parameters: any,
  inputSchema: any,
  outputSchema: any,
  inputExamples: any,
  metadata: any,
  version: any,
  category: any,
  dangerous: any,
  costPerUse: any,
  rateLimit: any,
  execute: code,
  toResult: code,
  timeoutMs: positive,
  onRateLimit: word("reject", "wait"),
  needsApproval: either(flag, code),
  requiresAuth: flag,
  sandboxed: flag,
  memoryLimitMb: positive,
  parallel: flag,
  maxRetries: count(0),
  idempotent: flag,
  maxResultLength: count(0),
};

export const ofRegister: Rules<{ override?: boolean }> = { override: flag };

export const ofToolkit: Rules<ToolkitOptions<unknown>> = {
  coerce: flag,
  clamp: flag,
  repairJson: flag,
  concurrency: count(1),
  authorize: code,
  around: code,
  repairCall: code,
  formatError: code,
  onLateResult: code,
  now: code,
  rateLimits: any,
};

export const ofRun: Rules<RunOptions<unknown>> = {
  context: any,
  signal: any,
  filter: any,
  timeoutMs: time,
  sessionId: text,
  agentId: text,
  maxCost: amount,
  approve: code,
};

/** The state machine checks those with the rule `any`. */
export const ofAgent: Rules<AgentOptions & ResumeOptions> = {
  ...ofRun,
  request: object,
  toolkit: any,
  send: code,
  maxIterations: any,
  timeoutMs: any,
  maxRepairs: any,
  maxRepeats: any,
  maxUsage: object,
  atLimit: any,
  strategy: any,
  eager: flag,
  output: any,
  prepare: code,
  onState: code,
  secret: any,
  stateTtlMs: positive,
  claimState: code,
  stopWhen: code,
  state: any,
  decisions: object,
  results: any,
};

/** `inner`: of a run within a run. */
export const ofSettings = { ...ofAgent, inner: any };

export const ofRepair: Rules<{ schema?: unknown }> = { schema: any };

export const ofPrune: Rules<PruneOptions> = { keepTurns: amount, clearResultsBefore: amount };

export const ofSend: Rules<SendTarget> = {
  to: text,
  server: either(text, object),
  baseUrl: text,
  baseURL: text,
  apiKey: { ...either(text, code), isSecret: true },
  headers: { ...either(object, code), isSecret: true },
  stream: flag,
  maxRetries: any,
  maxResponseBytes: any,
  maxEventBytes: any,
  fetch: code,
  options: object,
  simulate: object,
  simulateWhen: word("always", "unsupported"),
  onRequest: code,
  onResponse: code,
};

export const ofMcp: Rules<McpToolsOptions> = {
  prefix: text,
  trust: flag,
  policy: code,
  listTimeoutMs: positive,
  onWarning: code,
  onChange: code,
};

export const ofAgentResponse: Rules<AgentResponseOptions> = {
  format: word("events", "agui"),
  threadId: text,
  include: any,
};

/** Where options are, for errors. */
interface Place {
  /** The object that has them. */
  what: string;
  /** What its fields are called. Default `option`. */
  noun?: string;
  path?: string;
}

/**
 * Checks the names and the types of options.
 *
 * @throws ToolkitError `invalid_options`
 */
export function requireOptions(options: object, rules: { readonly [field: string]: Rule }, place: Place): void {
  const { what, path = "" } = place;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ToolkitError("invalid_options", `the options of ${what} must be an object`, path);
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(rules, name)) throw unknownName(name, Object.keys(rules), place);
  }
  requireTypes(options, rules, place);
}

function unknownName(name: string, known: string[], { what, noun = "option", path = "" }: Place): ToolkitError {
  const nearest = callCore((core) => core.nearestName(name, textOf(known)));
  const advice = nearest === undefined ? `There are ${known.join(", ")}.` : `Did you mean ${nearest}?`;
  return new ToolkitError("invalid_options", `${what} has no ${noun} ${name}. ${advice}`, `${path}/${name}`);
}

/** @throws ToolkitError `invalid_options` if a field is absent. */
export function requireField(object: object, field: string, { what, path = "" }: Place, expected: string): void {
  const value = (object as { [field: string]: unknown })[field];
  if (value !== undefined && value !== null) return;
  throw new ToolkitError("invalid_options", `${what} requires ${field}: pass ${expected}`, `${path}/${field}`);
}

/**
 * Checks fields that are present. `what` and `path` name the object in errors.
 *
 * @throws ToolkitError `invalid_options`
 */
export function requireTypes(
  object: object,
  rules: { readonly [field: string]: Rule },
  { what, path = "" }: Place,
): void {
  for (const [field, { expected, isSecret, holds }] of Object.entries(rules)) {
    const value = (object as { [field: string]: unknown })[field];
    if (value === undefined || value === null || holds(value)) continue;
    const received = typeof value === "object" ? "an object" : isSecret ? `a ${typeof value}` : String(value);
    throw new ToolkitError(
      "invalid_options",
      `the ${field} of ${what} is ${received}, expected ${expected}`,
      `${path}/${field}`,
    );
  }
}

/** @throws ToolkitError `invalid_options` for anything but calls with an id and a name. */
export function requireCalls(calls: unknown): void {
  if (!Array.isArray(calls)) throw new ToolkitError("invalid_options", "calls must be an array of calls", "/calls");
  for (const [index, call] of calls.entries()) {
    const path = `/calls/${index}`;
    const { id, name } = (call ?? {}) as { id?: unknown; name?: unknown };
    if (typeof id === "string" && typeof name === "string") continue;
    throw new ToolkitError("invalid_options", "a call must be an object with `id`, `name` and `arguments`", path);
  }
}
