// Failures of calls, and the error results that models receive.

import type { ToolResult } from "toolwire";
import type { Problem } from "#core";
import { isToolError } from "./errors.js";
import type { AnyCall, ErrorType, ExecutionError } from "./execution.js";
import { wellFormedText } from "./well-formed.js";

/** Ends a call. Only thrown within the toolkit. */
export class Failure {
  readonly error: ExecutionError;
  /** The error result that the tool returned, if any. */
  readonly result: ToolResult | undefined;

  constructor(
    type: ErrorType,
    message: string,
    more: Omit<ExecutionError, "type" | "message"> = {},
    result?: ToolResult,
  ) {
    this.error = { type, message, ...more };
    this.result = result;
  }
}

export type FormatError = (error: unknown, call: AnyCall) => string;

/** The failure of a call for an error thrown by its tool or its checks. */
export function failureOf(thrown: unknown, call: AnyCall, formatError: FormatError = messageOf): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = formatted(thrown, call, formatError);
  return new Failure(typeOf(thrown), withoutStack(message) || "The tool failed.", { cause: thrown });
}

function formatted(thrown: unknown, call: AnyCall, formatError: FormatError): string {
  try {
    return String(formatError(thrown, call));
  } catch {
    return "The tool failed.";
  }
}

function typeOf(thrown: unknown): ErrorType {
  if (isToolError(thrown)) return thrown.type;
  try {
    return (thrown instanceof Error && thrown.name) || "Error";
  } catch {
    return "Error";
  }
}

/** The message of an error, without stack and cause. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  const message = (thrown as { message?: unknown } | null | undefined)?.message;
  return typeof message === "string" ? message : "";
}

/** Removes stacks, which the messages of wrapped errors often contain. */
function withoutStack(message: string): string {
  return message.replace(/\n\s*at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))(?=\n|$)/g, "").trim();
}

/** The failure of a call that can't run because of these problems. */
export function failureOfProblems(problems: Problem[]): Failure {
  const first = problems[0]?.code;
  const type = first === "unknown_tool" || first === "truncated" ? first : "invalid_arguments";
  return new Failure(type, problems.map(({ message }) => message).join("\n"), { problems });
}

/** The error result that the model receives. */
export function errorResult(call: AnyCall, { error, result }: Failure): ToolResult {
  if (result) return result;
  const value: Record<string, unknown> = {
    error: wellFormedText(error.message),
    error_type: wellFormedText(error.type),
  };
  if (error.retryAfterMs !== undefined) value.retry_after_seconds = Math.ceil(error.retryAfterMs / 1000);
  return { toolCallId: call.id, name: call.name, kind: "data", isError: true, value };
}
