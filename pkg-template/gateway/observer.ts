// Reports what happens to a request: to the hook, and to the metrics.

import { convertResponse, type Dialect, readStream, type Usage } from "#conversions";
import { joined } from "./body.js";
import type { Failure } from "./failure.js";
import type { Secrets } from "./keys.js";
import type { GatewayEvent } from "./types.js";

type Listener = (event: GatewayEvent) => void;
type Facts = Partial<Omit<GatewayEvent, "body" | "requestId" | "stage" | "from">>;

/** The events of one request. */
export class Observer {
  readonly startedAt = performance.now();
  secrets: Secrets;
  readonly #listeners: readonly Listener[];
  #facts: Facts & Pick<GatewayEvent, "requestId" | "from" | "attempt">;

  constructor(listeners: readonly Listener[], requestId: string, from: Dialect, secrets: Secrets) {
    this.#listeners = listeners;
    this.#facts = { requestId, attempt: 0, from };
    this.secrets = secrets;
  }

  /** Whether anybody listens: otherwise nothing is collected. */
  get isActive(): boolean {
    return this.#listeners.length > 0;
  }

  get requestId(): string {
    return this.#facts.requestId;
  }

  get attempt(): number {
    return this.#facts.attempt;
  }

  get sinceStart(): number {
    return performance.now() - this.startedAt;
  }

  /** Facts of all later events. */
  learn(facts: Facts): void {
    Object.assign(this.#facts, facts);
  }

  emit(stage: GatewayEvent["stage"], facts: Facts = {}, pieces?: readonly Uint8Array[]): void {
    if (!this.isActive) return;
    const { secrets } = this;
    const bytes = pieces?.reduce((size, piece) => size + piece.length, 0);
    const event = { ...this.#facts, ...facts, stage, ...(bytes !== undefined && { bytes }) } as GatewayEvent;
    if (event.error) event.error = { ...event.error, message: secrets.hidden(event.error.message) };
    if (pieces) {
      // few listeners want it
      const body = () => secrets.hiddenIn(joined(pieces));
      Object.defineProperty(event, "body", { get: body, enumerable: true });
    }
    for (const listener of this.#listeners) listener(event);
  }

  failed({ chatError, status }: Failure): void {
    this.emit("failed", { status, error: chatError, durationMs: this.sinceStart });
  }
}

/** Collects the pieces of a stream, up to a size. */
export class Collected {
  readonly #most: number;
  #size = 0;
  #pieces: Uint8Array[] | undefined = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > this.#most) this.#pieces = undefined;
    // the converter's pieces share buffers, and each is written once
    this.#pieces?.push(piece);
  }

  /** Undefined if there were too many. */
  get pieces(): readonly Uint8Array[] | undefined {
    return this.#pieces;
  }
}

/** The tokens that a whole response states. */
export function usageOf(body: Uint8Array, from: Dialect): Usage | undefined {
  try {
    const canonical = convertResponse(body, { from, to: "canonical", forms: "omit" });
    return JSON.parse(new TextDecoder().decode(canonical)).usage;
  } catch {
    return undefined;
  }
}

/** The tokens that a stream states. */
export function usageOfStream(pieces: readonly Uint8Array[], from: Dialect): Usage | undefined {
  const reader = readStream({ from, forms: "omit" });
  try {
    for (const piece of pieces) reader.push(piece);
    return reader.finish().usage;
  } catch {
    return undefined;
  } finally {
    reader.free();
  }
}
