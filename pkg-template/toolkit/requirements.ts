// The types of fields and options, for programs that no compiler checks.

import { ToolkitError } from "./errors.js";

interface Rule {
  readonly expected: string;
  holds(value: unknown): boolean;
}

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

/** The fields of a tool that the Rust core does not check. */
export const ofTool = {
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

export const ofToolkit = {
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
};

export const ofRun = { timeoutMs: time, sessionId: text, agentId: text, maxCost: amount, approve: code };

/**
 * Checks fields that are present. `what` and `path` name the object in errors.
 *
 * @throws ToolkitError `invalid_options`
 */
export function requireTypes(
  object: object,
  rules: { readonly [field: string]: Rule },
  { what, path = "" }: { what: string; path?: string },
): void {
  for (const [field, { expected, holds }] of Object.entries(rules)) {
    const value = (object as { [field: string]: unknown })[field];
    if (value === undefined || value === null || holds(value)) continue;
    const received = typeof value === "object" ? "an object" : String(value);
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
