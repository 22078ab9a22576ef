// Sends a request over HTTP. Keys stay with the origin that they are meant for, and out of messages.

import { shownUrl, withoutSecrets } from "../outgoing.js";
import { HttpFailure } from "./retry.js";

interface Init {
  method: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 3;

/**
 * The response. A redirect is followed only within its origin, because another one must not get the keys.
 *
 * @throws HttpFailure
 */
export async function fetched(
  send: typeof fetch,
  url: string,
  { headers, ...init }: Init,
  secrets: readonly string[],
): Promise<Response> {
  const sent = { ...init, headers: checkedHeaders(headers), redirect: "manual" } as const;
  for (let at = url, count = 0; ; count++) {
    const response = await connected(send, at, sent, secrets);
    if (!isRedirect(response)) return response;
    void response.body?.cancel().catch(() => {});
    const location = response.headers.get("location");
    const next = location === null ? undefined : new URL(location, at);
    const isKept = response.status === 307 || response.status === 308;
    if (next?.origin !== new URL(url).origin || !isKept || count >= MAX_REDIRECTS) throw redirected(response, next);
    at = next.href;
  }
}

/** In browsers, the status of a redirect is hidden. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function redirected({ status }: Response, to: URL | undefined): HttpFailure {
  const where = to ? ` to ${to.origin}` : "";
  const message = `the server redirects${where}, and keys are not sent along: if you trust it, use its address as baseUrl`;
  return new HttpFailure({ code: "redirected", message, retryable: false, ...(status > 0 && { status }) });
}

interface Thrown {
  readonly code?: unknown;
  readonly message?: unknown;
}

async function connected(send: typeof fetch, url: string, init: RequestInit, secrets: readonly string[]) {
  try {
    return await send(url, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    const { message, code, cause: inner } = (cause ?? {}) as Thrown & { cause?: Thrown };
    const reasons = [inner?.code, code, inner?.message, message];
    const known = reasons.find((reason) => typeof reason === "string" && reason !== "");
    const reason = withoutSecrets(String(known ?? "no reason is known"), secrets);
    const error = `the request to ${shownUrl(url)} failed: ${reason}`;
    throw new HttpFailure({ code: "connection_failed", message: error, retryable: true }, { cause });
  }
}

/** Checks headers before they are sent, because the error of `fetch` shows the value. */
function checkedHeaders(headers: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === null) continue;
    const text = String(value).trim();
    const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
    if (!isName || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) throw invalidHeader(isName ? name : undefined);
    checked[name] = text;
  }
  return checked;
}

function invalidHeader(name: string | undefined): HttpFailure {
  const what = name === undefined ? "the name of a header" : `the header ${name}`;
  const message = `${what} contains a character that HTTP does not allow, such as a line break: check apiKey and headers`;
  const hint = `Check apiKey and headers: ${what} contains a character that HTTP does not allow, such as a line break.`;
  return new HttpFailure({ code: "invalid_header", message, retryable: false }, { hint });
}
