// A monotonic clock, and timers.

/** Maximum delay of timers in all runtimes. A longer delay would end immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** Returns a clock that never goes backwards, even if `now` does. */
export function steady(now: () => number = Date.now): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    latest = Math.max(latest, now());
    return latest;
  };
}

/** Calls `callback` after a delay, unless the returned function is called first. The timer keeps the process alive. */
export function after(ms: number, callback: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_MS));
  return () => clearTimeout(timer);
}

/** Calls `callback` after a delay. The timer does not keep the process alive. */
export function afterIdle(ms: number, callback: () => void): void {
  const timer: unknown = setTimeout(callback, Math.min(ms, LONGEST_MS));
  (timer as { unref?: () => void }).unref?.();
}

/** Milliseconds before attempt number `next` of a call: 500, 1000, 2000, 4000, then 8000. */
export function backoff(next: number): number {
  return Math.min(500 * 2 ** (next - 2), 8000);
}

/** How long, and for how many values, a loop may run before timers and other events get their turn. */
const LONGEST_BUSY_MS = 10;
const FEWEST_VALUES = 64;

/**
 * Returns a function for loops over values of others, which may never have to wait: it gives the event loop its turn
 * whenever the loop has been busy for a while. Otherwise, no timer could end the loop.
 */
export function rests(): () => Promise<void> | undefined {
  let since = performance.now();
  let count = 0;
  return () => {
    if (++count < FEWEST_VALUES || performance.now() - since < LONGEST_BUSY_MS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        count = 0;
        resolve();
      }, 0);
    });
  };
}
