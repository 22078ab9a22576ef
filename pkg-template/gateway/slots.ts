// Limits how much happens at the same time.

import { Failure } from "./failure.js";

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

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        this.#waiting.delete(turn);
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        settle();
      };
      const busy = () => new Failure(429, "rate_limit", "too many requests at the same time", { waitMs: 1000 });
      const turn = end(resolve);
      const leave = end(() => reject(signal.reason));
      const timer = setTimeout(
        end(() => reject(busy())),
        this.#queueMs,
      );
      this.#waiting.add(turn);
      signal.addEventListener("abort", leave);
      if (signal.aborted) leave();
    });
  }
}
