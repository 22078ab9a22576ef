// A client's request at its upstreams: attempts, retries and fallbacks, until the first byte of a response.

import { type Conversion, type Dialect, ToolwireError, type Warning } from "#conversions";
import { backoff } from "../http/retries.js";
import { bytesOf } from "./body.js";
import type { Call } from "./call.js";
import { type Prepared, prepare } from "./conversion.js";
import { Reply, type Served } from "./direct.js";
import { Failure } from "./failure.js";
import { more } from "./more.js";
import { Collected, usageOf, usageOfStream } from "./observer.js";
import { Relay } from "./relay.js";
import { forwardedHeaders, type Refusal, refusalOf } from "./send.js";
import type { GatewayHooks, ResponseStore } from "./types.js";
import type { Upstream } from "./upstreams.js";
import { sleep } from "./wait.js";

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
  throw new Failure(503, "there is no upstream for this request");
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
    this.#model = upstream.modelNamed(call.model);
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
      throw new Failure(429, "the upstream asked to wait", failure);
    }
    const attempt = new Attempt(this.#call.signal, this.#upstream);
    try {
      await attempt.begin();
      const { simulateWhen, simulate } = this.#upstream.config;
      const native = simulateWhen === "unsupported" && !this.#upstream.withoutTools.has(this.#model);
      const first = await this.#post(attempt, native ? undefined : simulate);
      if (first.response.ok) return await this.#respond(attempt, first);
      const refusal = await refusalOf(first.response, first.prepared, this.#call.observer.secrets);
      const onlyTools = native && simulate && (await more()).lacksTools({ message: refusal.text });
      if (!onlyTools) throw this.#refused(refusal, onRefusal);
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
    const { observer, warnings } = this.#call;
    const upstream = this.#upstream;
    const given = await this.#given();
    const dropped: Warning[] = [];
    const conversion = this.#conversion((warning) => {
      dropped.push(warning);
      warnings.push(`${warning.code} ${encodeURI(warning.path)}`.trim());
      this.#shared.onWarning(warning, this.#call);
    });
    const prepared = simulate
      ? (await more()).prepareSimulated(given, conversion, simulate)
      : prepare(given, conversion);
    await this.#refusesStored(dropped, given);
    const body = await this.#sent(prepared);
    const headers = upstream.headers(this.#call);
    const number = observer.attempt + 1;
    observer.learn({ attempt: number, upstream: upstream.name, to: upstream.dialect });
    observer.emit("sent", { ...(this.#model && { model: this.#model }) }, [body]);
    const init = { headers, body, signal: attempt.signal };
    return { prepared, response: await upstream.send(prepared.path, init, this.#shared.hooks, number) };
  }

  /** The body that is sent: without the model, where only the path names it. */
  async #sent({ body }: Prepared): Promise<Prepared["body"]> {
    const { dialect } = this.#upstream;
    return dialect === "bedrock" ? (await more()).withoutModelText(body, dialect) : body;
  }

  /** The body that is converted: with what it refers to, and without what only its host knows. */
  async #given(): Promise<Uint8Array> {
    const { body, dialect, endpoint } = this.#call;
    const to = this.#upstream.dialect;
    const store = this.#store;
    const { isHosted } = endpoint;
    if (!store && !isHosted && dialect !== "bedrock" && to !== "bedrock") return body;
    const { withStored, withoutHost } = await more();
    const whole = store ? await withStored(body, (id) => found(id, store)) : body;
    return isHosted && to === dialect ? withoutHost(whole) : whole;
  }

  /** @throws Failure if a client relies on state that OpenAI stores, although the upstream is another provider. */
  async #refusesStored(dropped: readonly Warning[], body: Uint8Array): Promise<void> {
    const { dialect } = this.#call;
    if (dialect !== "openai-responses" || dialect === this.#upstream.dialect) return;
    if (!dropped.some(({ path }) => mayReferToStored.test(path)) || !(await more()).isStoredElsewhere(dropped, body))
      return;
    const message = "nothing is stored here: send the whole conversation (store: false)";
    throw new Failure(400, message, { code: "unsupported" });
  }

  #conversion(onWarning: (warning: Warning) => void): Conversion {
    const { dialect, endpoint, stream } = this.#call;
    const { dialect: to } = this.#upstream;
    return {
      ...this.#upstream.optionsFor(this.#call),
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
    const tooLarge = () => new Failure(502, message);
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
    await this.#keep([delivered]);
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
      throw new Failure(502, message, { body, headers, isTransient: true });
    }
  }

  async #relayed(attempt: Attempt, response: Response, prepared: Prepared, headers: Headers): Promise<Reply> {
    const { dialect, endpoint, observer } = this.#call;
    const framing = endpoint.framing && (await more()).framingOf(endpoint.framing);
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
        const { pieces } = parts.delivered;
        if (pieces && error === undefined) await this.#keep(pieces).catch(() => {});
        this.#onEnd();
      },
    });
    attempt.onStop = (reason) => relay.breakOff(reason);
    await relay.begin().catch((error) => {
      throw attempt.reasonOf(brokenOff(error));
    });
    facts.firstByteMs = observer.sinceStart;
    attempt.hasFirstByte();
    headers.set("content-type", framing?.type ?? streamTypes[dialect] ?? "text/event-stream");
    headers.set("cache-control", "no-cache");
    return new Reply(relay.source(), headers);
  }

  async #keep(delivered: readonly Uint8Array[]): Promise<void> {
    if (this.#store) await (await more()).keep(this.#call.body, delivered, this.#store);
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

/** Warnings about a request at these paths may be about state that OpenAI stores. */
const mayReferToStored = /^\/(?:previous_response_id$|conversation$|input\/)/;

async function found(id: string, store: ResponseStore): Promise<Uint8Array> {
  const value = await store.get(id);
  if (value) return value;
  throw new Failure(404, `${id} is not stored here`);
}

/** By the format. */
const streamTypes: { readonly [dialect in Dialect]?: string } = {
  bedrock: "application/vnd.amazon.eventstream",
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
  return new Failure(502, message, { isTransient: true });
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
    const stop = () => this.stop(new Failure(504, message, { isTransient: true }));
    this.#timers.push(setTimeout(stop, ms));
  }

  readonly #leave = () => this.stop(new Failure(499, "the client went away"));

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
