// Decides when a failed request is sent again.

import type { ChatError } from "toolwire";
import { lacksTools } from "../../http/no-tools.js";
import { backoff, exhausted, isRetryableStatus, sleep, waitIn, waitOf } from "../../http/retries.js";
import { ChatFailure } from "./chat-failure.js";

/** If a server requests a longer wait, the request is not retried. */
const LONGEST_WAIT_MS = 60_000;

/** The time that is left for a request, by its signal, in milliseconds. */
const timesLeft = new WeakMap<AbortSignal, () => number>();

export function setTimeLeft(signal: AbortSignal, timeLeft: () => number): void {
  timesLeft.set(signal, timeLeft);
}

/**
 * The retries of one request, up to `maxRetries`. Waits as long as the server requests, or else 0.5 s, 1 s, 2 s …, at
 * most 8 s, minus a random part of up to a quarter.
 */
export class Retries {
  readonly #most: number;
  readonly #signal: AbortSignal;
  #count = 0;

  constructor(most: number, signal: AbortSignal) {
    this.#most = most;
    this.#signal = signal;
  }

  /** Waits before the next attempt. Throws the error if there is none, also if no time would be left after the wait. */
  async next(error: unknown): Promise<void> {
    this.#signal.throwIfAborted();
    if (!(error instanceof HttpFailure) || !error.mayRetry || this.#count >= this.#most) throw error;
    const wait = error.waitMs ?? backoff(this.#count);
    if (wait >= (timesLeft.get(this.#signal)?.() ?? Number.POSITIVE_INFINITY)) {
      throw error.waitMs === undefined ? error : error.with(waitHint(wait, "timeoutMs leaves: raise it"));
    }
    this.#count++;
    await sleep(wait, this.#signal);
  }
}

function waitHint(wait: number, bound: string): string {
  return `The server asks to wait ${Math.ceil(wait / 1000)} s, which is more than ${bound}.`;
}

/** What is known about a failed request beside its error. */
export interface FailureFacts {
  readonly headers?: Headers;
  /** The body of the response. */
  readonly text?: string;
  readonly cause?: unknown;
  readonly hint?: string;
  /** Whether another attempt would have the same result. */
  readonly isFinal?: boolean;
}

/** A failed HTTP request. */
export class HttpFailure extends ChatFailure {
  readonly mayRetry: boolean;
  /** The wait that the server requests, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(error: ChatError, { headers, text, cause, hint, isFinal = false }: FailureFacts = {}) {
    super(error, cause, hint);
    this.waitMs =
      (headers && waitOf(headers)) ?? retryAfterOf(error) ?? (text === undefined ? undefined : waitIn(text));
    const isTooLong = (this.waitMs ?? 0) > LONGEST_WAIT_MS;
    this.mayRetry = mayRetry(error, headers) && !isTooLong && !isFinal;
    if (isTooLong) this.hint ??= waitHint(this.waitMs ?? 0, `the ${LONGEST_WAIT_MS / 1000} s that sendTo waits`);
  }

  with(hint: string): this {
    this.hint = hint;
    return this;
  }
}

function mayRetry({ status, code, message, retryable }: ChatError, headers?: Headers): boolean {
  if (exhausted.test(code) || exhausted.test(message) || lacksTools({ message })) return false;
  const stated = headers?.get("x-should-retry");
  if (stated === "true" || stated === "false") return stated === "true";
  return status === undefined ? retryable : isRetryableStatus(status);
}

function retryAfterOf(error: ChatError): number | undefined {
  const { retryAfterMs } = error as { retryAfterMs?: unknown };
  return typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : undefined;
}
