// Errors of the gateway itself, in the client's format.

import { type ChatError, convertError, type Dialect } from "#conversions";
import { errorTypeHeaders } from "../http/error-type.js";
import type { Secrets } from "./keys.js";

const codes: { readonly [status: number]: string } = {
  401: "authentication",
  403: "permission",
  404: "not_found",
  408: "timeout",
  413: "too_large",
  429: "rate_limit",
  431: "too_large",
  499: "cancelled",
  503: "overloaded",
  504: "timeout",
  529: "overloaded",
};

export interface FailureFacts {
  /** If it is not that of the status. */
  code?: string;
  isTransient?: boolean;
  waitMs?: number;
  body?: Uint8Array;
  headers?: Headers;
  /** Of the error in the client's format. */
  metadata?: ChatError["metadata"];
}

/** A request that is not served, or whose upstream failed. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  /** Whether the next upstream, or the same one later, may succeed. */
  readonly isTransient: boolean;
  readonly waitMs: number | undefined;
  /** The error's body in the client's format, if an upstream sent one. */
  readonly body: Uint8Array | undefined;
  /** Headers for the client. */
  readonly headers: Headers | undefined;
  readonly metadata: ChatError["metadata"];

  constructor(
    status: number,
    message: string,
    {
      code = codes[status] ?? (status < 500 ? "invalid_request" : "api_error"),
      isTransient = false,
      waitMs,
      body,
      headers,
      metadata,
    }: FailureFacts = {},
  ) {
    super(message);
    this.name = "Failure";
    this.status = status;
    this.code = code;
    this.isTransient = isTransient;
    this.waitMs = waitMs;
    this.body = body;
    this.headers = headers;
    this.metadata = metadata;
  }

  get chatError(): ChatError {
    const { status, code, message, isTransient, metadata } = this;
    return { status, code, message, retryable: isTransient, ...(metadata && { metadata }) } as ChatError;
  }

  /** Without secrets, also those that an upstream quotes. The upstream's body was converted to the format `from`. */
  toResponse(dialect: Dialect, secrets: Secrets, from = dialect): Response {
    const headers = new Headers(this.headers);
    headers.set("content-type", "application/json");
    if (this.waitMs !== undefined && !headers.has("retry-after"))
      headers.set("retry-after", String(Math.ceil(this.waitMs / 1000)));
    const written = this.body && from !== dialect ? this.#converted(this.body, from, dialect) : this.body;
    const body = written ? secrets.hiddenIn(written) : secrets.hidden(this.#written(dialect));
    if (dialect === "bedrock") {
      const text = typeof body === "string" ? body : new TextDecoder().decode(body);
      for (const [name, value] of Object.entries(errorTypeHeaders(text))) headers.set(name, value);
    }
    return new Response(body as BodyInit, { status: this.status, headers });
  }

  #converted(body: Uint8Array, from: Dialect, to: Dialect): Uint8Array {
    return convertError(body, { from, to, status: this.status }) as Uint8Array;
  }

  #written(dialect: Dialect): string {
    const to = dialect === "canonical" ? "openai" : dialect;
    return convertError(JSON.stringify(this.chatError), { from: "canonical", to, status: this.status });
  }
}
