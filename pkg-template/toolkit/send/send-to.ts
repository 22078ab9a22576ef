// A `Send` over HTTP.

import {
  type ChatError,
  type ChatRequest,
  type ChatRequestInput,
  type ChatResponse,
  type ConversionContext,
  contextOf,
  convertError,
  convertRequest,
  convertResponse,
  type Dialect,
  type Options,
  requestPath,
  type StreamEvent,
  streamEvents,
  ToolwireError,
  type Warning,
} from "toolwire";
import { ToolkitError } from "../errors.js";
import { lacksTools } from "./no-tools.js";
import { joined, providerOf } from "./providers.js";
import { HttpFailure, retried } from "./retry.js";
import type { Send } from "./send.js";
import type { Simulation, SimulationReading } from "./simulation.js";

/** Where requests are sent: the dialect, the URL, the key, headers, and `fetch`. */
export interface SendTarget {
  /** The format that the server accepts. */
  to: Dialect;
  /** Default: the provider's own URL. The version (`/v1`) at its end is optional. */
  baseUrl?: string;
  /** Sent in the header that the provider expects. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Added to each request, for example by a gateway that requires its own. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /** Whether to stream. Default true. */
  stream?: boolean;
  /** Retries after status 408, 409, 429 or 5xx and after failed connections; `retry-after` is respected. Default 2. */
  maxRetries?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Options of the conversions, including `onWarning`. */
  options?: Options;
  /** Simulates tools for a model without tool calling. */
  simulate?: Simulation;
  /**
   * When to simulate. `unsupported`: requests with tools are first sent with native tools. If the server reports that
   * tool calling is not supported, the request is sent again with simulated tools, and so are all later ones for its
   * model. Default `always`.
   */
  simulateWhen?: "always" | "unsupported";
  /** Called with each request that is sent, without headers that contain keys. */
  onRequest?(sent: { url: string; headers: Record<string, string>; body: unknown }): void;
  /** Called with the status and the body of each response, or with each piece of a stream. */
  onResponse?(received: { status: number; headers: Record<string, string>; body?: unknown; event?: unknown }): void;
}

const DEFAULT_MAX_RETRIES = 2;
/** The version that `toAnthropic` writes by default, which matches this header. */
const ANTHROPIC_VERSION = "2026-10-21";

/**
 * A `Send` over HTTP for any dialect. It converts and sends requests, streams and converts responses, and waits and
 * retries where useful. It throws errors with the fields of a `ChatError`.
 *
 * @throws ToolkitError `invalid_options` if the dialect has no provider, or if its provider has no fixed URL.
 */
export function sendTo(target: SendTarget): Send {
  const provider = providerOf(target.to);
  const base = target.baseUrl ?? provider.url;
  if (base === undefined) {
    const message = `${target.to} has no URL of its own: pass baseUrl (for Vertex AI: https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location})`;
    throw new ToolkitError("invalid_options", message, "/baseUrl");
  }
  const withoutTools = new Set<string | undefined>();
  const send: Send = (request, { signal }) => {
    const exchange = new Exchange(target, base, request, signal, withoutTools);
    return exchange.streams ? exchange.events() : exchange.whole();
  };
  return Object.assign(send, { forcesCalls: target.simulate === undefined && provider.forcesCalls !== false });
}

/** One request and its response. */
class Exchange {
  readonly streams: boolean;
  readonly #target: SendTarget;
  readonly #base: string;
  readonly #signal: AbortSignal;
  /** The models without tool calling, as reported by their server. */
  readonly #withoutTools: Set<string | undefined>;
  #request: ChatRequest;
  #reading: SimulationReading | undefined;

  constructor(
    target: SendTarget,
    base: string,
    request: ChatRequest,
    signal: AbortSignal,
    withoutTools: Set<string | undefined>,
  ) {
    this.#target = target;
    this.#base = base;
    this.#signal = signal;
    this.#request = request;
    this.#withoutTools = withoutTools;
    this.streams = target.stream ?? true;
    if (target.simulateWhen !== "unsupported" || withoutTools.has(this.#model)) this.#simulate();
  }

  get #model(): string | undefined {
    return this.#target.options?.model ?? this.#request.model;
  }

  #simulate(): void {
    const { to, simulate } = this.#target;
    if (!simulate) return;
    const { request, reading, warnings = [] } = simulate.request(this.#request, { to });
    this.#request = request;
    this.#reading = reading;
    for (const warning of warnings) this.#warn(warning);
  }

  /** Whether to send the request again with simulated tools. */
  #hasNoTools(error: unknown): boolean {
    const { simulate } = this.#target;
    const isNative = simulate && !this.#reading && (this.#request.tools ?? []).length > 0;
    if (!isNative || !(error instanceof HttpFailure) || !lacksTools(error)) return false;
    this.#withoutTools.add(this.#model);
    return true;
  }

  async whole(): Promise<ChatResponse> {
    const { response, context } = await this.#sent();
    return this.#simulated(await this.#read(response, context));
  }

  async *events(): AsyncGenerator<StreamEvent, ChatResponse, undefined> {
    const { response, context } = await this.#sent();
    // the server does not support streaming
    if (isJson(response) || response.body === null) return this.#simulated(await this.#read(response, context));
    const { simulate } = this.#target;
    const rewriting = this.#reading && simulate?.stream(this.#reading, this.#warn);
    const events = streamEvents(watched(response, this.#target.onResponse), this.#reads(context));
    for (;;) {
      const next = await events.next();
      if (next.done) {
        if (rewriting) yield* rewriting.end();
        // the events were reported already
        return this.#simulated(next.value, () => {});
      }
      if (rewriting) yield* rewriting.push(next.value);
      else yield next.value;
    }
  }

  /** Reports a warning of the simulation as conversions report theirs. */
  readonly #warn = (warning: Warning): void => {
    const { lossy, onWarning } = this.#target.options ?? {};
    if (lossy === "error" && warning.lossy) throw new ToolwireError("lossy", warning.message, warning.path);
    onWarning?.(warning);
  };

  #simulated(response: ChatResponse, onWarning = this.#warn): ChatResponse {
    const { simulate } = this.#target;
    return this.#reading && simulate ? simulate.response(response, this.#reading, onWarning) : response;
  }

  async #read(response: Response, context: ConversionContext): Promise<ChatResponse> {
    const text = await response.text();
    this.#report(response, text);
    const { to } = this.#target;
    try {
      return JSON.parse(convertResponse(text, { ...this.#reads(context), to: "canonical" })) as ChatResponse;
    } catch (cause) {
      // an error with status 200, or an HTML page
      throw new HttpFailure(errorOf(text, to, 502), response.headers, cause);
    }
  }

  #reads(context: ConversionContext) {
    const { to, options } = this.#target;
    return { ...options, from: to, context };
  }

  #report(response: Response, text: string): void {
    const { onResponse } = this.#target;
    onResponse?.({
      status: response.status,
      headers: withoutKeys(Object.fromEntries(response.headers)),
      body: parsed(text),
    });
  }

  /** The response, if its status indicates success. */
  async #sent(): Promise<{ response: Response; context: ConversionContext }> {
    try {
      return await this.#sentOnce();
    } catch (error) {
      if (!this.#hasNoTools(error)) throw error;
      this.#simulate();
      return this.#sentOnce();
    }
  }

  async #sentOnce(): Promise<{ response: Response; context: ConversionContext }> {
    const { to, options, maxRetries = DEFAULT_MAX_RETRIES } = this.#target;
    const conversion = { ...options, from: "canonical", to, stream: this.streams } as const;
    const request: ChatRequestInput = this.#request;
    const body = convertRequest(request as object, conversion) as object;
    const context = contextOf(request as object, { ...conversion, onWarning: undefined });
    const path = requestPath(request as object, { ...options, to, stream: this.streams });
    const url = joined(this.#base, path);
    const response = await retried(maxRetries, this.#signal, () => this.#post(url, body));
    return { response, context };
  }

  async #post(url: string, body: object): Promise<Response> {
    const { to, fetch: send = fetch, onRequest } = this.#target;
    const open = await this.#headers();
    onRequest?.({ url, headers: withoutKeys(open), body });
    let response: Response;
    try {
      const headers = { ...(await this.#keyHeaders()), ...open };
      response = await send(url, { method: "POST", headers, body: JSON.stringify(body), signal: this.#signal });
    } catch (cause) {
      const message = `the request to ${new URL(url).host} failed: ${(cause as Error | undefined)?.message ?? cause}`;
      throw new HttpFailure({ code: "connection_failed", message, retryable: true }, undefined, cause);
    }
    if (response.ok) return response;
    const text = await response.text();
    this.#report(response, text);
    throw new HttpFailure(errorOf(text, to, response.status), response.headers);
  }

  async #headers(): Promise<Record<string, string>> {
    const { to, headers, options } = this.#target;
    const own = typeof headers === "function" ? await headers() : headers;
    const { versionHeader } = providerOf(to);
    const version = versionHeader && { [versionHeader]: options?.anthropicVersion ?? ANTHROPIC_VERSION };
    return { "content-type": "application/json", ...version, ...own };
  }

  async #keyHeaders(): Promise<Record<string, string>> {
    const { to, apiKey } = this.#target;
    const key = typeof apiKey === "function" ? await apiKey() : apiKey;
    return key === undefined || key === "" ? {} : providerOf(to).headers(key);
  }
}

/** Names of headers that contain keys. */
const secret = /authorization|api-?key|secret|cookie|(?:^|-)token$/i;

function withoutKeys(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.test(name)));
}

function isJson(response: Response): boolean {
  return /^application\/json\b/i.test(response.headers.get("content-type") ?? "");
}

function errorOf(text: string, from: Dialect, status: number): ChatError {
  return JSON.parse(convertError(text, { from, to: "canonical", status })) as ChatError;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The body of a response. Each piece is reported as text. */
function watched(response: Response, onResponse: SendTarget["onResponse"]): ReadableStream<Uint8Array> {
  const { status } = response;
  const body = response.body as ReadableStream<Uint8Array>;
  if (!onResponse) return body;
  const headers = withoutKeys(Object.fromEntries(response.headers));
  const decoder = new TextDecoder();
  const report = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      onResponse({ status, headers, event: decoder.decode(piece, { stream: true }) });
      controller.enqueue(piece);
    },
  });
  return body.pipeThrough(report);
}
