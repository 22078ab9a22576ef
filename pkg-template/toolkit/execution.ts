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
  sessionId?: string;
  agentId?: string;
  /**
   * Which tools may run. Works as in `definitions`, so that a model can't call a tool that it was not shown
   * (`not_allowed`).
   */
  filter?: ToolFilter;
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
  call: AnyCall;
  /** The changes made by defaults, coercion, clamping and repair. */
  changes: Change[];
  /** Excludes time spent on approval and waiting. */
  durationMs: number;
  attempts: number;
  cost: number;
  usage?: Usage;
}

/** Why a call failed. `retryAfterMs` is in milliseconds. */
export interface ExecutionError {
  type: ErrorType;
  message: string;
  problems?: Problem[];
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
