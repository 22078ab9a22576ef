// One request of `sendTo` and its response.

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
  modelFacts,
  type Options,
  requestPath,
  type StreamEvent,
  streamEvents,
  ToolwireError,
  type Warning,
} from "toolwire";
import { addressOf } from "../../http/address.js";
import { withErrorType } from "../../http/error-type.js";
import { withoutModel } from "../../http/model-in-path.js";
import { lacksTools } from "../../http/no-tools.js";
import { ANTHROPIC_VERSION, withKey } from "../../http/providers.js";
import { secretsOf, shownHeaders, shownUrl, withoutSecrets } from "../outgoing.js";
import { wellFormed, wellFormedJson } from "../well-formed.js";
import {
  type BodyBounds,
  boundedPieces,
  brokenOff,
  DEFAULT_MAX_EVENT_BYTES,
  DEFAULT_MAX_RESPONSE_BYTES,
  readErrorText,
  readText,
} from "./body.js";
import { fetched } from "./fetched.js";
import { providerOf } from "./providers.js";
import { HttpFailure, Retries } from "./retry.js";
import type { SendTarget } from "./send-to.js";
import type { SimulationReading } from "./simulation.js";

const DEFAULT_MAX_RETRIES = 2;

/** What all exchanges with a target share. */
export interface Shared {
  readonly base: string;
  /** The base URL of the server, as its SDK takes it. */
  readonly own: string | undefined;
  /** Whether the API is chosen by the model, of those of OpenAI. */
  readonly choosesApi: boolean;
  /** The models without tool calling, as reported by their server. */
  readonly withoutTools: Set<string | undefined>;
  readonly onWarning: Options["onWarning"];
}

/** A successful response, and what reading it requires. */
interface Received {
  response: Response;
  context: ConversionContext;
  /** What the request contained that must not be reported. */
  secrets: readonly string[];
}

export class Exchange {
  readonly streams: boolean;
  readonly #target: SendTarget;
  readonly #options: Options;
  readonly #shared: Shared;
  readonly #signal: AbortSignal;
  readonly #retries: Retries;
  readonly #bounds: BodyBounds;
  #request: ChatRequest;
  #reading: SimulationReading | undefined;

  constructor(target: SendTarget, shared: Shared, request: ChatRequest, signal: AbortSignal) {
    const { maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES, maxEventBytes = DEFAULT_MAX_EVENT_BYTES } = target;
    this.#target = target;
    this.#shared = shared;
    const { server } = target;
    this.#options = { ...(server !== undefined && { server }), ...target.options, onWarning: shared.onWarning };
    this.#signal = signal;
    this.#retries = new Retries(target.maxRetries ?? DEFAULT_MAX_RETRIES, signal);
    this.#bounds = { maxResponseBytes, maxEventBytes };
    this.#request = request;
    this.streams = target.stream ?? true;
    if (target.simulateWhen !== "unsupported" || shared.withoutTools.has(this.#model)) this.#simulate();
  }

  /** The format. Chat Completions refuses tools for some models, of which Responses is the API. */
  get #to(): Dialect {
    const { to } = this.#target;
    const tools = this.#request.tools ?? [];
    if (!this.#shared.choosesApi || tools.length === 0 || this.#model === undefined) return to;
    const { toolsApi } = modelFacts(this.#model, { to }) ?? {};
    const reasons = this.#request.reasoning?.effort !== "none";
    const isRefused = toolsApi === "responses" || (toolsApi === "responsesIfReasoning" && reasons);
    return isRefused ? "openai-responses" : to;
  }

  get #model(): string | undefined {
    return this.#options.model ?? this.#request.model;
  }

  #simulate(): void {
    const { to, simulate } = this.#target;
    if (!simulate) return;
    const { request, reading, warnings = [] } = simulate.request(wellFormed(this.#request), { to });
    this.#request = request;
    this.#reading = reading;
    for (const warning of warnings) this.#warn(warning);
  }

  /** Whether to send the request again with simulated tools. */
  #hasNoTools(error: unknown): boolean {
    const { simulate } = this.#target;
    const isNative = simulate && !this.#reading && (this.#request.tools ?? []).length > 0;
    if (!isNative || !(error instanceof HttpFailure) || !lacksTools(error)) return false;
    this.#shared.withoutTools.add(this.#model);
    return true;
  }

  /** Prepares the next attempt. Throws the error if there is none. */
  async #again(error: unknown): Promise<void> {
    if (this.#hasNoTools(error)) this.#simulate();
    else await this.#retries.next(error);
  }

  async whole(): Promise<ChatResponse> {
    for (;;) {
      try {
        return this.#simulated(await this.#read(await this.#sent()));
      } catch (error) {
        await this.#again(error);
      }
    }
  }

  /** Requests are sent again as long as no event was yielded. */
  async *events(): AsyncGenerator<StreamEvent, ChatResponse, undefined> {
    for (let hasEvents = false; ; ) {
      try {
        const events = this.#events(await this.#sent());
        for (;;) {
          const { done, value } = await events.next();
          if (done) return value;
          hasEvents = true;
          yield value;
        }
      } catch (error) {
        if (hasEvents) throw error;
        await this.#again(error);
      }
    }
  }

  async *#events(received: Received): AsyncGenerator<StreamEvent, ChatResponse, undefined> {
    const { response, context, secrets } = received;
    // the server does not support streaming
    if (isJson(response) || response.body === null) return this.#simulated(await this.#read(received));
    const { simulate } = this.#target;
    const rewriting = this.#reading && simulate?.stream(this.#reading, this.#warn);
    const events = streamEvents(this.#watched(received), this.#reads(context));
    for (;;) {
      const next = await events.next();
      if (next.done) {
        if (rewriting) yield* rewriting.end();
        // the events were reported already
        return this.#simulated(shownError(next.value, secrets), () => {});
      }
      const event = shownError(next.value, secrets);
      if (rewriting) yield* rewriting.push(event);
      else yield event;
    }
  }

  /** The pieces of the body. Each is reported as text. */
  async *#watched({ response, secrets }: Received): AsyncGenerator<Uint8Array, void, undefined> {
    const { onResponse } = this.#target;
    const decoder = new TextDecoder();
    const head = { status: response.status, headers: shownHeaders(response.headers) };
    for await (const piece of boundedPieces(response, this.#bounds, this.#signal)) {
      onResponse?.({ ...head, event: withoutSecrets(decoder.decode(piece, { stream: true }), secrets) });
      yield piece;
    }
  }

  /** Reports a warning of the simulation as conversions report theirs. */
  readonly #warn = (warning: Warning): void => {
    const { lossy, onWarning } = this.#options;
    if (lossy === "error" && warning.lossy) throw new ToolwireError("lossy", warning.message, warning.path);
    onWarning?.(warning);
  };

  #simulated(response: ChatResponse, onWarning = this.#warn): ChatResponse {
    const { simulate } = this.#target;
    return this.#reading && simulate ? simulate.response(response, this.#reading, onWarning) : response;
  }

  async #read({ response, context, secrets }: Received): Promise<ChatResponse> {
    const text = await readText(response, this.#bounds, this.#signal);
    const shown = this.#report(response, text, secrets);
    try {
      return JSON.parse(convertResponse(text, { ...this.#reads(context), to: "canonical" })) as ChatResponse;
    } catch (cause) {
      const isCut = /^\s*[[{]/.test(text) && parsed(text) === text;
      if (isCut) throw brokenOff(cause);
      const facts = { headers: response.headers, text, cause, isFinal: true };
      const { status } = response;
      if (parsed(shown) === shown) throw new HttpFailure(noJson(shown, status), facts);
      // an error with status 200
      throw new HttpFailure(errorOf(shown, this.#to, 502), facts);
    }
  }

  #reads(context: ConversionContext) {
    return { ...this.#options, from: this.#to, context };
  }

  /** Reports a body, and returns it without secrets. */
  #report(response: Response, text: string, secrets: readonly string[]): string {
    const shown = withoutSecrets(text, secrets);
    const { status, headers } = response;
    this.#target.onResponse?.({ status, headers: shownHeaders(headers), body: parsed(shown) });
    return shown;
  }

  /** The response, if its status indicates success. */
  async #sent(): Promise<Received> {
    const to = this.#to;
    const conversion = { ...this.#options, from: "canonical", to, stream: this.streams } as const;
    const request: ChatRequestInput = this.#request;
    const body = convertRequest(request as object, conversion) as object;
    const context = contextOf(request as object, { ...conversion, onWarning: undefined });
    const path = requestPath(request as object, { ...this.#options, to, stream: this.streams });
    const address = addressOf(this.#shared.base, path, { to, own: this.#shared.own });
    return { ...(await this.#post(address, withoutModel(body, to))), context };
  }

  async #post(url: string, body: object): Promise<Omit<Received, "context">> {
    const { fetch: send = fetch, onRequest } = this.#target;
    const headers = await this.#headers();
    const secrets = secretsOf(url, Object.entries(headers));
    onRequest?.({ url: shownUrl(url), headers: shownHeaders(Object.entries(headers)), body });
    const init = {
      method: "POST",
      headers,
      body: wellFormedJson(JSON.stringify(body, withBase64)),
      signal: this.#signal,
    };
    const response = await fetched(send, url, init, secrets);
    if (response.ok) return { response, secrets };
    const text = await readErrorText(response, this.#signal);
    const shown = this.#report(response, text, secrets);
    const error = errorOf(withErrorType(shown, response.headers), this.#to, response.status);
    const where = response.status === 404 || response.status === 405 ? ` (POST ${shownUrl(url)})` : "";
    throw new HttpFailure({ ...error, message: error.message + where }, { headers: response.headers, text });
  }

  async #headers(): Promise<Record<string, string>> {
    const { to, apiKey, headers } = this.#target;
    const own = typeof headers === "function" ? await headers() : headers;
    const key = typeof apiKey === "function" ? await apiKey() : apiKey;
    const { versionHeader } = providerOf(to);
    const version = versionHeader && { [versionHeader]: this.#options.anthropicVersion ?? ANTHROPIC_VERSION };
    return {
      ...(key !== undefined && key !== "" && withKey(to, this.#options.server, key)),
      "content-type": "application/json",
      ...version,
      ...own,
    };
  }
}

/** An event or a response whose error, if it has one, contains no secrets. */
function shownError<Value extends object>(value: Value, secrets: readonly string[]): Value {
  if (!("error" in value)) return value;
  return { ...value, error: JSON.parse(withoutSecrets(JSON.stringify(value.error), secrets)) };
}

/** Bytes in the requests of the AWS SDK are base64 in the REST API. */
function withBase64(_key: string, value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  let text = "";
  for (const byte of value) text += String.fromCharCode(byte);
  return btoa(text);
}

function isJson(response: Response): boolean {
  return /^application\/json\b/i.test(response.headers.get("content-type") ?? "");
}

function errorOf(text: string, from: Dialect, status: number): ChatError {
  return JSON.parse(convertError(text, { from, to: "canonical", status })) as ChatError;
}

/** How much of a body that is not JSON its error shows, in characters. */
const SHOWN_START = 200;

/** The error for a body that is not JSON although the status indicates success, such as the page of another server. */
function noJson(text: string, status: number): ChatError {
  const line = text.trim().replace(/\s+/g, " ");
  const start = line.length > SHOWN_START ? `${wellFormed(line.slice(0, SHOWN_START))}…` : line;
  const message = start === "" ? "is empty" : `is not JSON. It begins with: ${start}`;
  return {
    code: "api_error",
    message: `The body of the response with status ${status} ${message}`,
    retryable: false,
    status,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
