// Sends one request to an upstream, and reads what is wrong with a response that failed.

import { withErrorType } from "../http/error-type.js";
import { exhausted, isRetryableStatus, waitIn, waitOf } from "../http/retries.js";
import { firstBytes } from "./body.js";
import type { Prepared } from "./conversion.js";
import { Failure } from "./failure.js";
import type { Secrets } from "./keys.js";
import type { GatewayHooks } from "./types.js";

/** An error says in its first bytes what is wrong. */
const MAX_ERROR_BYTES = 64 * 1024;
/** How much of an error events contain, in characters. */
const MAX_MESSAGE = 1000;
/** Limits and ids. Lengths, encodings and cookies belong to the upstream's own body and connection. */
const forwarded = /^(?:retry-after|retry-after-ms|(?:x-)?request-id|x-ratelimit-.*|anthropic-ratelimit-.*)$/;

export function forwardedHeaders(response: Response): Headers {
  const headers = new Headers();
  for (const [name, value] of response.headers) if (forwarded.test(name)) headers.set(name, value);
  return headers;
}

/** The hook in place of the platform's `fetch`. */
export type OwnFetch = ((request: Request) => Promise<Response>) | undefined;

export interface Sent {
  readonly headers: Record<string, string>;
  /** Undefined for a GET. */
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** @throws Failure if the upstream can't be reached, or if it redirects. */
export async function sent(own: OwnFetch, url: string, { body, ...more }: Sent): Promise<Response> {
  const init = { ...(body ? { method: "POST", body } : { method: "GET" }), ...more, redirect: "manual" } as const;
  const response = await connected(own, url, init);
  // a redirect would send the key to another address
  if (response.type !== "opaqueredirect" && (response.status < 300 || response.status >= 400)) return response;
  void response.body?.cancel().catch(() => {});
  throw new Failure(502, "the upstream redirects, which is not followed: set baseUrl to its address");
}

async function connected(own: OwnFetch, url: string, init: RequestInit & Pick<Sent, "signal">): Promise<Response> {
  try {
    return await (own ? own(new Request(url, init)) : fetch(url, init));
  } catch (error) {
    init.signal.throwIfAborted();
    if (error instanceof Failure) throw error;
    // the details (addresses, certificates) are not for the client
    throw new Failure(502, "the upstream can't be reached", { isTransient: true });
  }
}

/** The hook `fetch` of a gateway, for an upstream. */
export function ownFetch(hooks: GatewayHooks, name: string, attempt = 1): OwnFetch {
  return hooks.fetch && ((request) => hooks.fetch?.(request, { name, attempt }) as Promise<Response>);
}

/** Why an upstream refused a request. */
export interface Refusal {
  readonly failure: Failure;
  /** The body of the error. */
  readonly text: string;
  /** Whether it may be sent to this upstream again. */
  readonly mayRetry: boolean;
}

/** The error of a response, in the client's format. */
export async function refusalOf(response: Response, prepared: Prepared, secrets: Secrets): Promise<Refusal> {
  const { status, headers } = response;
  const { bytes: returned } = await firstBytes(response.body, MAX_ERROR_BYTES);
  const text = new TextDecoder().decode(returned);
  const typed = withErrorType(text, headers);
  const body = prepared.error(typed === text ? returned : new TextEncoder().encode(typed), status);
  const wait = waitOf(headers) ?? waitIn(text);
  const failure = new Failure(status, secrets.hidden(text).slice(0, MAX_MESSAGE), {
    isTransient: isRetryableStatus(status),
    ...(wait !== undefined && { waitMs: wait }),
    body,
    headers: forwardedHeaders(response),
  });
  const stated = headers.get("x-should-retry");
  const mayRetry = stated === "true" || (failure.isTransient && stated !== "false" && !exhausted.test(text));
  return { failure, text, mayRetry };
}
