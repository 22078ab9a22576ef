// The time limit of a run. It counts active time only.

import type { AgentCore } from "#core";
import { after } from "../clock.js";

/** Aborts when the active time is used up, or when the caller cancels. */
export class Deadline {
  readonly #core: AgentCore;
  readonly #now: () => number;
  readonly #controller = new AbortController();
  #cancelTimer = () => {};
  #people = 0;
  #working = 0;
  #isActive = false;
  #release = () => {};
  timedOut = false;

  constructor(core: AgentCore, now: () => number, signal: AbortSignal | undefined) {
    this.#core = core;
    this.#now = now;
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
    this.#controller.abort(reason ?? new DOMException("The run was cancelled.", "AbortError"));
  }

  /** Active time begins. */
  start(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    const now = this.#now();
    this.#core.unpause(now);
    this.#cancelTimer = after(this.#core.timeLeft(now), () => {
      this.timedOut = true;
      this.#controller.abort(new DOMException("The time limit of the run was reached.", "TimeoutError"));
    });
  }

  /** Active time ends. */
  stop(): void {
    this.#isActive = false;
    this.#cancelTimer();
    this.#core.pause(this.#now());
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

  dispose(): void {
    this.#cancelTimer();
    this.#release();
  }
}
