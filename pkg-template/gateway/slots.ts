// Limits how much happens at the same time.

import { Failure } from "./failure.js";
import { patiently } from "./wait.js";

/** Up to `most` holders; others wait their turn, in order, for at most `queueMs`. */
export class Slots {
  readonly #most: number;
  readonly #queueMs: number;
  readonly #waiting: Set<() => void> = new Set();
  #taken = 0;

  constructor(most: number, queueMs: number) {
    this.#most = most;
    this.#queueMs = queueMs;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Returns the function that gives the slot back.
   *
   * @throws Failure with status 429 if the wait is too long.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken >= this.#most) await this.#turn(signal);
    else this.#taken++;
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack();
      isHeld = false;
    };
  }

  /** A slot that is given back passes to the one who waits longest. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#taken--;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const late = () => {
      throw new Failure(429, "too many requests at the same time", { waitMs: 1000 });
    };
    let turn = () => {};
    const called = new Promise<void>((resolve) => {
      turn = () => {
        this.#waiting.delete(turn);
        resolve();
      };
      this.#waiting.add(turn);
    });
    try {
      await patiently(called, { ms: this.#queueMs, late, signal });
    } catch (error) {
      // the slot may have been passed to this waiter after it had left
      if (!this.#waiting.delete(turn)) this.#giveBack();
      throw error;
    }
  }
}
