// Limits the number of concurrent calls.

import type { Turn } from "./turn.js";

/** A semaphore. Slots are granted in the order of the requests. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a slot until the turn ends. Returns a function that releases the slot. Calling it again has no
   * effect.
   */
  async take(turn: Turn): Promise<() => void> {
    const free = this.takeFree();
    if (free) return free;
    await this.#granted(turn);
    return this.#taken();
  }

  /** Takes a slot if one is free. */
  takeFree(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free--;
    return this.#taken();
  }

  #taken(): () => void {
    let isTaken = true;
    return () => {
      if (isTaken) this.#release();
      isTaken = false;
    };
  }

  /** Waits in line. If the turn ends first, a slot that was already granted is passed to the next in line. */
  async #granted(turn: Turn): Promise<void> {
    let isGranted = false;
    let grant = () => {};
    const granted = new Promise<void>((resolve) => {
      grant = () => {
        isGranted = true;
        resolve();
      };
    });
    this.#waiting.push(grant);
    try {
      await turn.until(granted);
    } catch (failure) {
      const index = this.#waiting.indexOf(grant);
      if (index >= 0) this.#waiting.splice(index, 1);
      if (isGranted) this.#release();
      throw failure;
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
