// Converts failed requests to errors with the fields of a `ChatError`.

import type { ChatError, Metadata } from "toolwire";

/** The error that a `Send` throws. It has the fields of a `ChatError`. */
export class ChatFailure extends Error implements ChatError {
  readonly code: string;
  readonly retryable: boolean;
  declare readonly status?: number;
  declare readonly metadata?: Metadata;

  constructor(error: ChatError, cause?: unknown) {
    super(error.message, cause === undefined ? undefined : { cause });
    this.name = "ChatFailure";
    this.code = error.code;
    this.retryable = error.retryable;
    if (error.status !== undefined) this.status = error.status;
    if (error.metadata !== undefined) this.metadata = error.metadata;
  }
}

/** The `ChatError` of any error that a `Send` threw, including those of official SDKs, which have a `status`. */
export function chatErrorOf(thrown: unknown): ChatError & { cause?: unknown } {
  const { message, code, status, retryable, metadata } = (thrown ?? {}) as Partial<ChatError>;
  const error: ChatError & { cause?: unknown } = {
    code: typeof code === "string" ? code : "send_failed",
    message: typeof message === "string" && message !== "" ? message : String(thrown),
    retryable: typeof retryable === "boolean" ? retryable : isRetryableStatus(status),
    cause: thrown,
  };
  if (typeof status === "number") error.status = status;
  if (metadata !== undefined) error.metadata = metadata;
  return error;
}

export function isRetryableStatus(status: number | undefined): boolean {
  return status === 408 || status === 409 || status === 429 || (status !== undefined && status >= 500);
}
