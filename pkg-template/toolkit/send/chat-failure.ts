// Converts failed requests to errors with the fields of a `ChatError`.

import type { ChatError, Metadata } from "toolwire";
import { markInternal } from "../outgoing.js";

/** The error that a `Send` throws. It has the fields of a `ChatError`. */
export class ChatFailure extends Error implements ChatError {
  readonly code: string;
  readonly retryable: boolean;
  declare readonly status?: number;
  declare readonly metadata?: Metadata;
  /** What the caller can do about it, without data of the request or the response. */
  declare hint?: string;

  constructor(error: ChatError, cause?: unknown, hint?: string) {
    super(error.message, cause === undefined ? undefined : { cause });
    this.name = "ChatFailure";
    this.code = error.code;
    this.retryable = error.retryable;
    if (error.status !== undefined) this.status = error.status;
    if (error.metadata !== undefined) this.metadata = error.metadata;
    if (hint !== undefined) this.hint = hint;
  }
}

/** Codes are words. Anything else may contain data. */
const isCode = (code: unknown): code is string => typeof code === "string" && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(code);

/** The `ChatError` of any error that a `Send` threw, including those of official SDKs, which have a `status`. */
export function chatErrorOf(thrown: unknown): ChatError & { cause?: unknown } {
  const { message, code, status, retryable, metadata } = (thrown ?? {}) as Partial<ChatError>;
  const error: ChatError & { cause?: unknown } = {
    code: isCode(code) ? code : "send_failed",
    message: typeof message === "string" && message !== "" ? message : String(thrown),
    retryable: typeof retryable === "boolean" ? retryable : isRetryableStatus(status),
    cause: thrown,
  };
  if (typeof status === "number") error.status = status;
  if (metadata !== undefined) error.metadata = metadata;
  // written for a client only if its author says so by the fields of a `ChatError`
  if (!isCode(code) || typeof retryable !== "boolean") markInternal(error);
  return error;
}

export function isRetryableStatus(status: number | undefined): boolean {
  return status === 408 || status === 409 || status === 429 || (status !== undefined && status >= 500);
}
