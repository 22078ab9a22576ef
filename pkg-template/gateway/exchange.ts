// A client's request at its upstreams: attempts, retries and fallbacks, until the first byte of a response.

import { type Conversion, ToolwireError, type Warning } from "#conversions";
import { backoff, sleep } from "../http/retries.js";
import { bytesOf, withoutHost } from "./body.js";
import type { Call } from "./call.js";
import { type Prepared, prepare } from "./conversion.js";
import { Reply, type Served } from "./direct.js";
import { Failure } from "./failure.js";
import { Collected, usageOf, usageOfStream } from "./observer.js";
import { mappedModel } from "./patterns.js";
import { Relay } from "./relay.js";
import { forwardedHeaders, ownFetch, type Refusal, refusalOf, sent } from "./send.js";
import { keep, refusesStored, withStored } from "./stored.js";
import type { GatewayHooks } from "./types.js";
import type { Upstream } from "./upstreams.js";

/** A longer wait than this is the client's decision, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/** What all exchanges of a gateway share. */
export interface Shared {
  readonly hooks: GatewayHooks;
  /** The size of a response, in bytes. */
  readonly responseBytes: number;
  readonly onWarning: (warning: Warning, call: Call) => void;
}

/**
 * The first response of an upstream, in order. `onEnd` is called when it is delivered.
 *
 * @throws Failure of the last upstream.
 */
export async function exchange(
  call: Call,
  upstreams: readonly Upstream[],
  shared: Shared,
  onEnd: () => void,
): Promise<Served> {
  for (const [index, upstream] of upstreams.entries()) {
    const isLast = index === upstreams.length - 1;
    try {
      return await new Exchange(call, upstream, shared, onEnd).answered(!isLast);
    } catch (error) {
      if (isLast || !(error instanceof Failure) || !error.isTransient) throw error;
    }
  }
  throw new Failure(503, "overloaded", "there is no upstream for this request");
}

/** A request at one upstream. */
class Exchange {
  readonly #call: Call;
  readonly #upstream: Upstream;
  readonly #shared: Shared;
  readonly #onEnd: () => void;
  /** The upstream's name of the model. */
  readonly #model: string | undefined;

  constructor(call: Call, upstream: Upstream, shared: Shared, onEnd: () => void) {
    this.#call = call;
    this.#upstream = upstream;
    this.#shared = shared;
    this.#onEnd = onEnd;
    this.#model = mappedModel(upstream.config.models, call.model) ?? upstream.options.model;
  }

  /** The store, if the upstream has none that the client could refer to. */
  get #store(): GatewayHooks["responses"] {
    const isOwn = this.#call.dialect === "openai-responses" && this.#upstream.dialect !== "openai-responses";
    return isOwn ? this.#shared.hooks.responses : undefined;
  }

  /** Sends until there is a response. With a fallback, an upstream that asks to wait is not waited for. */
  async answered(hasFallback: boolean): Promise<Served> {
    for (let retries = 0; ; retries++) {
      let mayRetry = true;
      try {
        return await this.#attempt((refusal) => {
          mayRetry = refusal.mayRetry;
        });
      } catch (error) {
        const { signal, observer } = this.#call;
        if (!(error instanceof Failure)) throw error;
        observer.failed(error);
        const wait = error.waitMs ?? backoff(retries);
        const isOver = retries >= this.#upstream.retries || wait > LONGEST_WAIT_MS;
        if (!error.isTransient || !mayRetry || isOver || (hasFallback && error.status === 429)) throw error;
        await sleep(wait, signal);
      }
    }
  }

  async #attempt(onRefusal: (refusal: Refusal) => void): Promise<Served> {
    const rest = this.#upstream.restMs(this.#model);
    if (rest > 0) {
      const failure = { isTransient: true, waitMs: rest };
      throw new Failure(429, "rate_limit", "the upstream asked to wait", failure);
    }
    const attempt = new Attempt(this.#call.signal, this.#upstream);
    try {
      await attempt.begin();
      const { simulateWhen, simulate } = this.#upstream.config;
      const native = simulateWhen === "unsupported" && !this.#upstream.withoutTools.has(this.#model);
      const first = await this.#post(attempt, native ? undefined : simulate);
      if (first.response.ok) return await this.#respond(attempt, first);
      const refusal = await refusalOf(first.response, first.prepared, this.#call.observer.secrets);
      if (!native || !simulate || !refusal.hasNoTools) throw this.#refused(refusal, onRefusal);
      this.#upstream.withoutTools.add(this.#model);
      const second = await this.#post(attempt, simulate);
      if (second.response.ok) return await this.#respond(attempt, second);
      throw this.#refused(await refusalOf(second.response, second.prepared, this.#call.observer.secrets), onRefusal);
    } catch (error) {
      attempt.end();
      throw attempt.reasonOf(error);
    }
  }

  #refused(refusal: Refusal, onRefusal: (refusal: Refusal) => void): Failure {
    const { failure } = refusal;
    onRefusal(refusal);
    if (failure.status === 429 && failure.waitMs !== undefined) this.#upstream.rest(this.#model, failure.waitMs);
    return failure;
  }

  async #post(attempt: Attempt, simulate: Upstream["config"]["simulate"]) {
    const { dialect, endpoint, presented, observer, warnings } = this.#call;
    const upstream = this.#upstream;
    const given = this.#store ? await withStored(this.#call.body, this.#store) : this.#call.body;
    const body = endpoint.framing === "chunks" && upstream.dialect === dialect ? withoutHost(given) : given;
    const dropped: Warning[] = [];
    const conversion = this.#conversion((warning) => {
      dropped.push(warning);
      warnings.push(`${warning.code} ${encodeURI(warning.path)}`.trim());
      this.#shared.onWarning(warning, this.#call);
    });
    const prepared = prepare(body, conversion, simulate);
    refusesStored(dialect, upstream.dialect, dropped, body);
    const headers = upstream.headers(dialect, presented);
    const number = observer.attempt + 1;
    observer.learn({ attempt: number, upstream: upstream.name, to: upstream.dialect });
    observer.emit("sent", { ...(this.#model && { model: this.#model }) }, [prepared.body]);
    const init = { headers, body: prepared.body, signal: attempt.signal };
    const own = ownFetch(this.#shared.hooks, upstream.name, number);
    return { prepared, response: await sent(own, upstream.url(prepared.path), init) };
  }

  #conversion(onWarning: (warning: Warning) => void): Conversion {
    const { dialect, endpoint, stream } = this.#call;
    const { options, dialect: to } = this.#upstream;
    return {
      ...options,
      ...(this.#model !== undefined && { model: this.#model }),
      // elsewhere, the body states it
      ...(endpoint.stream !== undefined && { stream }),
      ...{ from: dialect, to, onWarning },
    };
  }

  async #respond(attempt: Attempt, { response, prepared }: { response: Response; prepared: Prepared }) {
    const { observer } = this.#call;
    const headers = forwardedHeaders(response);
    const isStream = isStreamOf(response, this.#call.stream);
    if (isStream && response.body) return this.#relayed(attempt, response, prepared, headers);
    const most = this.#shared.responseBytes;
    const message = `the upstream's response is larger than ${most} bytes`;
    const tooLarge = () => new Failure(502, "api_error", message);
    const returned = await bytesOf(response.body, { most, tooLarge }).catch((error) => {
      throw attempt.reasonOf(brokenOff(error));
    });
    const facts = { status: response.status, firstByteMs: observer.sinceStart };
    observer.emit("returned", facts, [returned]);
    const delivered = this.#converted(returned, prepared, headers);
    attempt.end();
    headers.set("content-type", "application/json");
    const usage = observer.isActive && usageOf(returned, this.#upstream.dialect);
    observer.emit("delivered", { ...facts, durationMs: observer.sinceStart, ...(usage && { usage }) }, [delivered]);
    if (this.#store) await keep(this.#call.body, [delivered], this.#store);
    this.#onEnd();
    return new Reply(delivered, headers);
  }

  /** A body that is no response is an error with status 200, or a page of HTML. */
  #converted(returned: Uint8Array, prepared: Prepared, headers: Headers): Uint8Array<ArrayBuffer> {
    try {
      return prepared.response(returned);
    } catch (error) {
      const body = prepared.error(returned, 502);
      const message = error instanceof Error ? error.message : "no response";
      throw new Failure(502, "api_error", message, { body, headers, isTransient: true });
    }
  }

  async #relayed(attempt: Attempt, response: Response, prepared: Prepared, headers: Headers): Promise<Reply> {
    const { dialect, endpoint, observer } = this.#call;
    const { framing } = endpoint;
    const parts = {
      returned: new Collected(this.#shared.responseBytes),
      delivered: new Collected(this.#shared.responseBytes),
    };
    const facts = { status: response.status, firstByteMs: 0 };
    const relay = new Relay(response.body as ReadableStream<Uint8Array>, {
      converter: prepared.stream(),
      ...{ dialect, framing, idleMs: this.#upstream.idleMs, mostBytes: this.#shared.responseBytes },
      secrets: observer.secrets,
      stop: (reason) => attempt.abort(reason),
      ...((observer.isActive || this.#store) && { onPiece: (stage, piece) => parts[stage].add(piece) }),
      onClosed: () => attempt.end(),
      onEnd: async (error) => {
        this.#delivered(parts, facts, error);
        const pieces = parts.delivered.pieces;
        if (this.#store && pieces && error === undefined)
          await keep(this.#call.body, pieces, this.#store).catch(() => {});
        this.#onEnd();
      },
    });
    attempt.onStop = (reason) => relay.breakOff(reason);
    await relay.begin().catch((error) => {
      throw attempt.reasonOf(brokenOff(error));
    });
    facts.firstByteMs = observer.sinceStart;
    attempt.hasFirstByte();
    headers.set("content-type", streamTypes[framing ?? dialect] ?? "text/event-stream");
    headers.set("cache-control", "no-cache");
    return new Reply(relay.source(), headers);
  }

  /** Reports a stream that has ended. */
  #delivered(parts: { returned: Collected; delivered: Collected }, facts: { status: number }, error: unknown): void {
    const { observer } = this.#call;
    if (!observer.isActive) return;
    const { returned, delivered } = parts;
    const usage = returned.pieces && usageOfStream(returned.pieces, this.#upstream.dialect);
    observer.emit("returned", { ...facts, ...(this.#model && { model: this.#model }) }, returned.pieces);
    const durationMs = observer.sinceStart;
    if (error !== undefined) observer.failed(error instanceof Failure ? error : brokenOff(error));
    observer.emit("delivered", { ...facts, durationMs, ...(usage && { usage }) }, delivered.pieces);
  }
}

const BINARY = "application/vnd.amazon.eventstream";
/** By the framing, or by the format. */
const streamTypes: { readonly [name: string]: string } = {
  array: "application/json",
  chunks: BINARY,
  bedrock: BINARY,
  ollama: "application/x-ndjson",
};

/** Whether the upstream sends a stream: by its content type or, without one, by the request. */
function isStreamOf(response: Response, wanted: boolean): boolean {
  const type = response.headers.get("content-type");
  return type ? /^(?:text\/event-stream|application\/(?:x-ndjson|vnd\.amazon\.eventstream))/i.test(type) : wanted;
}

/** Why a response ended early: the conversion failed, or the connection. */
function brokenOff(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const message =
    cause instanceof ToolwireError
      ? `the upstream's response can't be read: ${cause.message}`
      : "the connection to the upstream broke off";
  return new Failure(502, "api_error", message, { isTransient: true });
}

/** The time and the connection of one request to an upstream. */
class Attempt {
  /** Called when the attempt is stopped from outside. */
  onStop: ((reason: unknown) => void) | undefined;
  readonly #upstream: Upstream;
  readonly #client: AbortSignal;
  readonly #aborting = new AbortController();
  readonly #timers: ReturnType<typeof setTimeout>[] = [];
  #release: () => void = () => {};

  constructor(client: AbortSignal, upstream: Upstream) {
    this.#client = client;
    this.#upstream = upstream;
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  async begin(): Promise<void> {
    const { slots, timeoutMs, firstByteMs } = this.#upstream;
    if (slots) this.#release = await slots.take(this.#client);
    this.#client.throwIfAborted();
    this.#client.addEventListener("abort", this.#leave);
    this.#limit(timeoutMs, `the upstream took longer than ${timeoutMs / 1000} s`);
    this.#limit(firstByteMs, `the upstream sent no response within ${firstByteMs / 1000} s`);
  }

  #limit(ms: number, message: string): void {
    const stop = () => this.stop(new Failure(504, "timeout", message, { isTransient: true }));
    this.#timers.push(setTimeout(stop, ms));
  }

  readonly #leave = () => this.stop(new Failure(499, "cancelled", "the client went away"));

  hasFirstByte(): void {
    clearTimeout(this.#timers[1]);
  }

  /** Ends the upstream's request, and what reads its response. */
  stop(reason: unknown): void {
    if (this.signal.aborted) return;
    this.abort(reason);
    this.onStop?.(reason);
  }

  /** Ends the upstream's request. */
  abort(reason: unknown): void {
    this.#aborting.abort(reason);
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#client.removeEventListener("abort", this.#leave);
    this.#release();
    this.#release = () => {};
  }

  /** Why the attempt was stopped, if it was. */
  reasonOf(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }
}
