// Decides when a failed request is sent again.

import type { ChatError } from "toolwire";
import { after } from "../clock.js";
import { ChatFailure, isRetryableStatus } from "./chat-failure.js";
import { lacksTools } from "./no-tools.js";

/** If a server requests a longer wait, the request is not retried. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 8_000;

/** Error messages for which a retry is useless, because the account has no quota left. */
const exhausted =
  /insufficient_quota|quota[ _]exceeded|exceeded your current quota|out of (?:budget|credits)|billing|credit balance/i;

/**
 * Retries up to `maxRetries` times. Waits as long as the server requests (`retry-after-ms`, `retry-after`), or else
 * 0.5 s, 1 s, 2 s …, at most 8 s, minus a random part of up to a quarter.
 */
export async function retried<Value>(
  maxRetries: number,
  signal: AbortSignal,
  send: () => Promise<Value>,
): Promise<Value> {
  for (let retry = 0; ; retry++) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      if (retry >= maxRetries || !(error instanceof HttpFailure) || !error.mayRetry) throw error;
      await sleep(error.waitMs ?? backoff(retry), signal);
    }
  }
}

function backoff(retry: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** retry, LAST_WAIT_MS) * (1 - Math.random() / 4);
}

/** A failed HTTP request. */
export class HttpFailure extends ChatFailure {
  readonly mayRetry: boolean;
  /** The wait that the server requests, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(error: ChatError, headers?: Headers, cause?: unknown) {
    super(error, cause);
    this.waitMs = headers && waitOf(headers);
    this.mayRetry = mayRetry(error, headers) && (this.waitMs ?? 0) <= LONGEST_WAIT_MS;
  }
}

function mayRetry({ status, code, message, retryable }: ChatError, headers?: Headers): boolean {
  if (exhausted.test(code) || exhausted.test(message) || lacksTools({ message })) return false;
  const stated = headers?.get("x-should-retry");
  if (stated === "true" || stated === "false") return stated === "true";
  return status === undefined ? retryable : isRetryableStatus(status);
}

/** In milliseconds. Undefined if the server does not state it. */
function waitOf(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const after = headers.get("retry-after");
  if (after === null) return undefined;
  const seconds = Number(after);
  if (after.trim() !== "" && seconds >= 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0);
}

/** Rejects when the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = after(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}
