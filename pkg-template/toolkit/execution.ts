// The options and results of running calls.

import type { InvalidToolCall, ToolCall, ToolResult, Usage } from "toolwire";
import type { Change, Problem, ToolFilter } from "#core";
import type { Tool } from "./tool.js";

/** How calls are run. docs/toolkit/running-calls.md describes each option. Times are in milliseconds. */
export interface RunOptions<AppContext> {
  /** Passed to tools, `needsApproval` and `authorize`. */
  context?: AppContext;
  /** Cancels the run. Calls that have not ended get a `cancelled` error result. */
  signal?: AbortSignal;
  /** Timeout for all calls together, in milliseconds. */
  timeoutMs?: number;
  /** Rate limits are counted by session, and by agent within it. Passed to tools. */
  sessionId?: string;
  /** See `sessionId`. */
  agentId?: string;
  /**
   * Which tools may run. Works as in `definitions`, so that a model can't call a tool that it was not shown
   * (`not_allowed`).
   */
  filter?: ToolFilter;
  /** Limit on the sum of `costPerUse`, in the unit of the tools. A call that would exceed it is a `budget_exceeded` error. Default none. */
  maxCost?: number;
  /**
   * Called for each call that requires approval, with the arguments it would run with. If absent, such calls stay
   * pending (`unapproved`).
   */
  approve?(call: ToolCall, tool: Tool): Decision | Promise<Decision>;
}

/** The reason for a denial is sent to the model. */
export type Decision =
  | boolean
  | { allow: true; arguments?: Record<string, unknown> }
  | { allow: false; reason?: string };

/** A call that a model made. */
export type AnyCall = ToolCall | InvalidToolCall;

/** The outcome of checking a call. */
export interface CheckedCall {
  /** The call with the arguments it would run with. */
  call: ToolCall;
  /** Empty if the call may run. */
  problems: Problem[];
  /** The changes made by defaults, coercion, clamping and repair. */
  changes: Change[];
}

/** The `error_type` of an error result: one of these, the type of a `ToolError`, or the `name` of the thrown error. */
export type ErrorType =
  | "unknown_tool"
  | "invalid_arguments"
  | "truncated"
  | "denied"
  | "not_allowed"
  | "unauthorized"
  | "rate_limited"
  | "budget_exceeded"
  | "timeout"
  | "cancelled"
  | "invalid_output"
  | "out_of_memory"
  | (string & {});

/**
 * What the executions of all statuses have. `durationMs` is in milliseconds; `cost` is in the unit of
 * `costPerUse`.
 */
export interface ExecutionBase {
  /** The call as it ran, or as the model made it if it did not run. */
  call: AnyCall;
  /** The changes made by defaults, coercion, clamping and repair. */
  changes: Change[];
  /** Excludes time spent on approval and waiting. */
  durationMs: number;
  /** How often the function was called: 0 if it was not. */
  attempts: number;
  /** The sum of `costPerUse` over all attempts. */
  cost: number;
  /** What the tool added with `addUsage`. */
  usage?: Usage;
}

/** Why a call failed. `retryAfterMs` is in milliseconds. */
export interface ExecutionError {
  /** The `error_type` of the error result. */
  type: ErrorType;
  /** The text that the model reads. */
  message: string;
  /** What is wrong with the arguments. */
  problems?: Problem[];
  /** When a call is within the rate limit again, in milliseconds from now. */
  retryAfterMs?: number;
  /** The thrown value. Never sent to the model. */
  cause?: unknown;
}

/** What happened to one call, by `status`. docs/toolkit/running-calls.md describes each status. */
export type Execution =
  | (ExecutionBase & { status: "done"; result: ToolResult; output: unknown })
  /**
   * The error result is `{kind: "data", isError: true, value: {error, error_type, …}}`, unless the tool returned
   * its own.
   */
  | (ExecutionBase & { status: "failed"; result: ToolResult; error: ExecutionError })
  /** `external`: the tool has no `execute`. `unapproved`: no decision was available. */
  | (ExecutionBase & { status: "external" | "unapproved" });

/** One step of a call. `time` is in milliseconds since the epoch. */
export type ToolEvent =
  | { type: "toolStart"; call: ToolCall; tool: Tool; attempt: number; time: number }
  | { type: "toolProgress"; call: ToolCall; value: unknown; time: number }
  | { type: "toolEnd"; execution: Execution; time: number };
