// A `Send` over HTTP.

import { type Dialect, type Options, serverFacts, serverOf, type Warning } from "toolwire";
import { ToolkitError } from "../errors.js";
import { ofSend, requireField, requireOptions } from "../requirements.js";
import { Exchange } from "./exchange.js";
import { providerOf } from "./providers.js";
import type { Send } from "./send.js";
import type { Simulation } from "./simulation.js";

/** Where requests are sent: the dialect, the URL, the key, headers, and `fetch`. */
export interface SendTarget {
  /** The format that the server accepts. */
  to: Dialect;
  /** The server, if it is not the provider's own. Default: what `serverOf` finds for the base URL. */
  server?: Options["server"];
  /**
   * Default: the server's, or the provider's own. As SDKs and pages of providers show it: with or without the path of the API and its version,
   * or the whole address; a query stays.
   */
  baseUrl?: string;
  /** The same as `baseUrl`, as the SDKs of providers spell it. */
  baseURL?: string;
  /** Sent in the header that the provider expects. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Added to each request, for example by a gateway that requires its own. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /** Whether to stream. Default true. */
  stream?: boolean;
  /** Retries after status 408, 409, 429 or 5xx and after failed connections; `retry-after` is respected. Default 2. */
  maxRetries?: number;
  /** Limit on the size of a response in bytes. Default 32 MiB. Of the body of an error, 64 kB are read. */
  maxResponseBytes?: number;
  /** Limit on the size of one event of a stream in bytes. Default 4 MiB. */
  maxEventBytes?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Options of the conversions, including `onWarning`, which is called once in a run for each cause. */
  options?: Options;
  /** Simulates tools for a model without tool calling. */
  simulate?: Simulation;
  /**
   * When to simulate. `unsupported`: requests with tools are first sent with native tools. If the server reports that
   * tool calling is not supported, the request is sent again with simulated tools, and so are all later ones for its
   * model. Default `always`.
   */
  simulateWhen?: "always" | "unsupported";
  /**
   * Called with each request that is sent, as it is converted. Of the headers, it gets those that never contain keys; in
   * the URL, the values of unknown parameters are hidden.
   */
  onRequest?(sent: { url: string; headers: Record<string, string>; body: unknown }): void;
  /** Called with the status and the body of each response, or with each piece of a stream, without keys that it repeats. */
  onResponse?(received: { status: number; headers: Record<string, string>; body?: unknown; event?: unknown }): void;
}

/**
 * A `Send` over HTTP for any dialect. It converts and sends requests, streams and converts responses, and waits and
 * retries where useful. It throws errors with the fields of a `ChatError`, without keys. Redirects are followed within
 * the origin of the URL.
 *
 * @throws ToolkitError `invalid_options` if the dialect has no provider, or if its provider has no fixed URL.
 */
export function sendTo(target: SendTarget): Send {
  requireOptions(target, ofSend, { what: "sendTo" });
  requireField(target, "to", { what: "sendTo" }, `the format of the server, such as "openai"`);
  const provider = providerOf(target.to);
  const given = target.baseUrl ?? target.baseURL;
  if (given !== undefined) requireUrl(given);
  const server = target.server ?? (given === undefined ? undefined : serverOf(given));
  const own = urlOf(server, target.to);
  const base = given ?? own ?? provider.url;
  if (base === undefined) {
    const message = `${target.to} has no URL of its own: pass baseUrl (for Vertex AI: https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location})`;
    throw new ToolkitError("invalid_options", message, "/baseUrl");
  }
  for (const name of ["maxRetries", "maxResponseBytes", "maxEventBytes"] as const) {
    const value = target[name];
    if (value === undefined || value >= (name === "maxRetries" ? 0 : 1)) continue;
    throw new ToolkitError("invalid_options", `${name}: expected a positive number, received ${value}`, `/${name}`);
  }
  const choosesApi = target.to === "openai" && (server === undefined ? given === undefined : server === "openai");
  const withoutTools = new Set<string | undefined>();
  const reported = new WeakMap<AbortSignal, Set<string>>();
  const send: Send = (request, { signal }) => {
    const onWarning = onceInRun(target.options?.onWarning, reported, signal);
    const shared = { base, own, choosesApi, withoutTools, onWarning };
    const exchange = new Exchange({ ...target, ...(server !== undefined && { server }) }, shared, request, signal);
    return exchange.streams ? exchange.events() : exchange.whole();
  };
  return Object.assign(send, { forcesCalls: target.simulate === undefined && provider.forcesCalls !== false });
}

/** The base URL of a server; undefined without one, and for servers that every installation has at its own address. */
function urlOf(server: SendTarget["server"], to: Dialect): string | undefined {
  if (server === undefined) return undefined;
  const facts = serverFacts({ server, to });
  if (facts) return facts.url;
  // formats that have no other servers
  if (!["openai", "openai-responses", "anthropic"].includes(to)) return undefined;
  const name = typeof server === "string" ? server : server.base;
  throw new ToolkitError("invalid_options", `server: ${name} does not speak ${to}`, "/server");
}

/** The message never contains the URL, which may contain a key. */
function requireUrl(base: string): void {
  let url: URL | undefined;
  try {
    url = new URL(base);
  } catch {}
  const advice =
    url === undefined || !/^https?:$/.test(url.protocol)
      ? "must be an absolute URL that starts with https:// or http://"
      : url.username !== "" || url.password !== ""
        ? "must not contain a user name or password: pass them in headers, as authorization"
        : undefined;
  if (advice) throw new ToolkitError("invalid_options", `baseUrl ${advice}`, "/baseUrl");
}

/**
 * Reports each cause once in a run: each request converts the whole conversation again. The signal of a run is that of
 * all its requests.
 */
function onceInRun(
  onWarning: Options["onWarning"],
  reported: WeakMap<AbortSignal, Set<string>>,
  signal: AbortSignal,
): Options["onWarning"] {
  if (!onWarning) return undefined;
  const seen = reported.get(signal) ?? new Set();
  reported.set(signal, seen);
  return (warning: Warning) => {
    const cause = causeOf(warning);
    if (seen.has(cause)) return;
    seen.add(cause);
    onWarning(warning);
  };
}

/** The same cause occurs in many messages, and in many of their blocks. */
function causeOf({ code, path, message }: Warning): string {
  const place = path.startsWith("/messages/") ? path.replace(/\/\d+(?=\/|$)/g, "/*") : path;
  return JSON.stringify([code, place, message]);
}
