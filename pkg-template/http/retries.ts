// When a failed request is sent again, and after which wait.

import { after } from "../toolkit/clock.js";
import { onAbort } from "../toolkit/signals.js";

const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 8_000;

/** Error messages for which a retry is useless, because the account has no quota left. */
export const exhausted =
  /insufficient_quota|quota[ _]exceeded|exceeded your current quota|out of (?:budget|credits)|billing|credit balance/i;

export function isRetryableStatus(status: number | undefined): boolean {
  return status === 408 || status === 409 || status === 429 || (status !== undefined && status >= 500);
}

/** The wait before a retry, in milliseconds: 0.5 s, 1 s, 2 s …, at most 8 s, minus a random part of up to a quarter. */
export function backoff(retry: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** retry, LAST_WAIT_MS) * (1 - Math.random() / 4);
}

/** In milliseconds. Undefined if the server does not state it. */
export function waitOf(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const after = headers.get("retry-after");
  if (after === null) return undefined;
  const seconds = Number(after);
  if (after.trim() !== "" && seconds >= 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0);
}

/** Google's `RetryInfo`, and OpenAI's "Please try again in 1m2.5s". */
const waitsInBodies = [/"retryDelay"\s*:\s*"([\d.]+)(s)"/, /\btry again in (?:(\d+)m(?!s))?([\d.]+)(ms|s)\b/i];

/** The wait that an error states in its body, in milliseconds. */
export function waitIn(text: string): number | undefined {
  for (const pattern of waitsInBodies) {
    const found = pattern.exec(text);
    if (!found) continue;
    const [unit, amount, minutes] = found.slice(1).reverse();
    const ms = Number(amount) * (unit?.toLowerCase() === "ms" ? 1 : 1000) + Number(minutes ?? 0) * 60_000;
    if (ms >= 0) return ms;
  }
  return undefined;
}

/** Rejects when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let forget = () => {};
    const cancel = after(ms, () => {
      forget();
      resolve();
    });
    forget = onAbort(signal, () => {
      cancel();
      reject(signal.reason);
    });
  });
}
