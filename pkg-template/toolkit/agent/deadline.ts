// The time limit of a run. Only active time counts.

import { after } from "../clock.js";
import { setTimeLeft } from "../send/retry.js";
import { onAbort } from "../signals.js";
import { isThenable, unlessStopped } from "../turn.js";
import type { Machine } from "./machine.js";

/** How long the caller's functions are awaited after the end of the time, so that a state can be stored. */
const GRACE_MS = 1_000;

/**
 * The reason of signals after the end of a run. One for all runs: an error refers to the functions that were running, and keeps what they
 * refer to in memory.
 */
const OVER = new DOMException("The run was cancelled.", "AbortError");

/** Aborts when the active time is used up, or when the caller cancels. */
export class Deadline {
  readonly #machine: Machine;
  #controller: AbortController | undefined;
  #cancelTimer = () => {};
  #people = 0;
  #working = 0;
  #isActive = false;
  #release = () => {};
  readonly #onAbort = new Set<() => void>();
  #abortedAt = Number.POSITIVE_INFINITY;
  /** Why the run was aborted. */
  #reason: unknown;
  timedOut = false;

  constructor(machine: Machine, signal: AbortSignal | undefined) {
    this.#machine = machine;
    if (signal) this.#release = onAbort(signal, () => this.#abort(signal.reason));
  }

  /** Created on first access. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      setTimeLeft(this.#controller.signal, () => this.#machine.timeLeft);
      if (this.isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#abortedAt < Number.POSITIVE_INFINITY;
  }

  /** Whether an error is the reason why the run was aborted. */
  isReason(error: unknown): boolean {
    return this.isAborted && error === this.#reason;
  }

  throwIfAborted(): void {
    if (this.isAborted) throw this.#reason;
  }

  #abort(reason: unknown): void {
    if (!this.isAborted) this.#reason = reason;
    this.#abortedAt = Math.min(this.#abortedAt, performance.now());
    this.#controller?.abort(reason);
    for (const listener of [...this.#onAbort]) listener();
    this.#onAbort.clear();
  }

  /**
   * Calls `listener` when the run is aborted, until the returned function is called. Faster than a listener on the
   * signal.
   */
  onAbort(listener: () => void): () => void {
    if (this.isAborted) listener();
    else this.#onAbort.add(listener);
    return () => this.#onAbort.delete(listener);
  }

  /** Waits for work until the run ends, even if the work ignores the signal. */
  until<Value>(work: PromiseLike<Value>): Promise<Value> {
    return unlessStopped(work, (stop) => this.onAbort(() => stop(this.#reason)));
  }

  /** Like `until`, for the result of a function of the caller, which may not be a promise. */
  bounded<Value>(work: Value | PromiseLike<Value>): Value | Promise<Value> {
    return isThenable(work) ? this.until(work) : work;
  }

  /** Waits for work, also after the run was aborted, but then not for long. Rejects only if the work does. */
  settled(work: PromiseLike<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      let cancel = () => {};
      const forget = this.onAbort(() => {
        cancel = after(this.#abortedAt + GRACE_MS - performance.now(), resolve);
      });
      const done = () => {
        forget();
        cancel();
      };
      work.then(
        () => {
          done();
          resolve();
        },
        (error) => {
          done();
          reject(error);
        },
      );
    });
  }

  /** Starts the active time. */
  start(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    this.#machine.unpause();
    this.#cancelTimer = after(this.#machine.timeLeft, () => {
      this.timedOut = true;
      this.#abort(new DOMException("The time limit of the run was reached.", "TimeoutError"));
    });
  }

  /** Stops the active time. */
  stop(): void {
    this.#isActive = false;
    this.#cancelTimer();
    this.#machine.pause();
  }

  /** Counts running work. While there is any, time is active, even if the run is also waiting for people. */
  working(by: 1 | -1): void {
    this.#working += by;
    this.#update();
  }

  /** Waits for a decision by a person. */
  async person<Value>(decision: () => Value | Promise<Value>): Promise<Value> {
    this.#people++;
    this.#update();
    try {
      return await decision();
    } finally {
      this.#people--;
      this.#update();
    }
  }

  #update(): void {
    if (this.#people > 0 && this.#working === 0) this.stop();
    else this.start();
  }

  /** Ends the run, and aborts the signal of any remaining work. */
  end(): void {
    this.#cancelTimer();
    this.#release();
    this.#abort(OVER);
  }
}
