// Converts failed requests to errors with the fields of a `ChatError`.

import type { ChatError, Metadata } from "toolwire";
import { isRetryableStatus } from "../../http/retries.js";
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
    Object.assign(this, detailsOf(error));
    if (hint !== undefined) this.hint = hint;
  }
}

/** Codes are words. Anything else may contain data. */
const isCode = (code: unknown): code is string => typeof code === "string" && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(code);

/** The `ChatError` of any error that a `Send` threw, including those of official SDKs, which have a `status`. */
export function chatErrorOf(thrown: unknown): ChatError & { cause?: unknown } {
  try {
    return errorOf(thrown);
  } catch {
    return { code: "send_failed", message: "The error of send can't be read.", retryable: false, cause: thrown };
  }
}

function errorOf(thrown: unknown): ChatError & { cause?: unknown } {
  const { message, code, status, retryable, ...more } = fieldsOf(thrown);
  const isOwn = thrown instanceof ChatFailure;
  const error: ChatError & { cause?: unknown } = {
    code: isOwn || isCode(code) ? (code as string) : "send_failed",
    message: typeof message === "string" && message !== "" ? message : String(thrown),
    retryable: typeof retryable === "boolean" ? retryable : isRetryableStatus(status),
    cause: thrown,
    ...more,
  };
  if (typeof status === "number") error.status = status;
  // written for a client only if its author says so by the fields of a `ChatError`
  if (!isOwn && (!isCode(code) || typeof retryable !== "boolean")) markInternal(error);
  return error;
}

function fieldsOf(thrown: unknown): Partial<ChatError> {
  const { message, code, status, retryable } = (thrown ?? {}) as Partial<ChatError>;
  return { message, code, status, retryable, ...detailsOf(thrown ?? {}) } as Partial<ChatError>;
}

/** The fields of an error that it may lack. */
function detailsOf(error: object): Partial<ChatError> {
  const given = ["retryAfterMs", "contextLength", "metadata"].flatMap((name) => {
    const value = (error as Record<string, unknown>)[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}
