// What is refused before anything is read: what web pages could send, and headers that are too large.

import type { ClientRequest, Served } from "./direct.js";
import { Failure } from "./failure.js";

const loopback = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/i;

/** Whether a host (with or without a port) is an address of this machine. */
export function isLoopback(host: string): boolean {
  return loopback.test(host.replace(/:\d+$/, ""));
}

/** The size of the URL and the headers, in bytes; characters that are not ASCII are escaped in both. */
export function headerSize({ url, headers }: ClientRequest): number {
  let size = url.length;
  for (const [name, value] of headers) size += name.length + value.length + 4;
  return size;
}

/**
 * Forms and scripts of web pages can't send JSON elsewhere without the consent that `cors` gives. What they send without a type has an origin, which
 * other clients do not state; LiteLLM sends Ollama's requests without a type.
 */
export function requireJson(headers: ClientRequest["headers"]): void {
  if (!headers.has("content-type") && !headers.has("origin")) return;
  const type = headers.get("content-type") ?? "";
  if (/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw new Failure(415, "the content-type must be application/json");
}

const MAX_AGE_S = 600;

/** The headers that let a web page of an allowed origin read a response. */
export function allowed<T extends Served>(response: T, origin: string): T {
  response.headers.set("access-control-allow-origin", origin);
  response.headers.append("vary", "origin");
  return response;
}

/** What a browser asks before it sends a request. */
export function preflight(request: ClientRequest, origin: string): Response {
  const headers = new Headers({
    "access-control-allow-methods": "GET, POST, HEAD",
    "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "content-type",
    "access-control-max-age": String(MAX_AGE_S),
  });
  return allowed(new Response(undefined, { status: 204, headers }), origin);
}
