// The time limit of a run. It counts active time only.

import { after } from "../clock.js";
import { unlessStopped } from "../turn.js";
import type { Machine } from "./machine.js";

/** Aborts when the active time is used up, or when the caller cancels. */
export class Deadline {
  readonly #machine: Machine;
  readonly #controller = new AbortController();
  #cancelTimer = () => {};
  #people = 0;
  #working = 0;
  #isActive = false;
  #release = () => {};
  readonly #onAbort = new Set<() => void>();
  timedOut = false;

  constructor(machine: Machine, signal: AbortSignal | undefined) {
    this.#machine = machine;
    const cancel = () => this.cancel(signal?.reason);
    if (signal?.aborted) cancel();
    else {
      signal?.addEventListener("abort", cancel, { once: true });
      this.#release = () => signal?.removeEventListener("abort", cancel);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(reason: unknown): void {
    this.#abort(reason ?? new DOMException("The run was cancelled.", "AbortError"));
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
    for (const listener of [...this.#onAbort]) listener();
    this.#onAbort.clear();
  }

  /** Calls back when the run is aborted, unless the returned function is called first. Cheaper than a listener of the signal. */
  onAbort(listener: () => void): () => void {
    if (this.signal.aborted) listener();
    else this.#onAbort.add(listener);
    return () => this.#onAbort.delete(listener);
  }

  /** Waits for work, but not beyond the end of the run, even if the work ignores the signal. */
  until<Value>(work: PromiseLike<Value>): Promise<Value> {
    return unlessStopped(work, (stop) => this.onAbort(() => stop(this.signal.reason)));
  }

  /** Active time begins. */
  start(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    this.#machine.unpause();
    this.#cancelTimer = after(this.#machine.timeLeft, () => {
      this.timedOut = true;
      this.#abort(new DOMException("The time limit of the run was reached.", "TimeoutError"));
    });
  }

  /** Active time ends. */
  stop(): void {
    this.#isActive = false;
    this.#cancelTimer();
    this.#machine.pause();
  }

  /** While work is under way, time is active, even if people are waited for. */
  working(by: 1 | -1): void {
    this.#working += by;
    this.#update();
  }

  /** Waits for a person. */
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

  /** The run is over: who still works for it is told. */
  end(): void {
    this.#cancelTimer();
    this.#release();
    this.cancel(undefined);
  }
}
