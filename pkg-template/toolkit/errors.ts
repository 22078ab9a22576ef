// The errors that the toolkit throws, and the error that tools throw.

import type { CoreErrorCode } from "#core";

/** The codes of `ToolkitError`: mistakes in the program, not of the model. */
export type ToolkitErrorCode = CoreErrorCode | "sandbox_missing" | "internal";

/**
 * The only error that the toolkit's own functions throw. Failures of tools and mistakes of models are not thrown. They
 * are reported in an `Execution` or an outcome.
 */
export class ToolkitError extends Error {
  readonly code: ToolkitErrorCode;
  /** JSON Pointer to the invalid part, or "". */
  readonly path: string;

  constructor(code: ToolkitErrorCode, message: string, path = "") {
    super(message);
    this.name = "ToolkitError";
    this.code = code;
    this.path = path;
  }
}

/** The fields of a `ToolError` beside its message. */
export interface ToolErrorOptions {
  /** The `error_type` of the error result. Default `tool_error`. */
  type?: string;
  /** Whether the call may be retried, if the tool has retries left. Default true. */
  retryable?: boolean;
  /** For your own logs. Never sent to the model. */
  cause?: unknown;
}

/**
 * Thrown by a tool to choose the error type, the message and whether the call is retried. For other errors, the model
 * sees the name and the message, as formatted by `formatError`.
 */
export class ToolError extends Error {
  readonly type: string;
  readonly retryable: boolean;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "ToolError";
    this.type = options.type ?? "tool_error";
    this.retryable = options.retryable ?? true;
  }
}

/** Recognized by shape, to include errors from another copy of this package. */
export function isToolError(error: unknown): error is ToolError {
  if (error instanceof ToolError) return true;
  const shape = error as Partial<ToolError> | undefined;
  return error instanceof Error && shape?.name === "ToolError" && typeof shape.type === "string";
}
