// Bounds how many calls run at the same time.

import type { Turn } from "./turn.js";

/** A number of slots, given in the order in which they are asked for. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot until the turn ends. Returns the function that gives the slot back, once. */
  async take(turn: Turn): Promise<() => void> {
    const free = this.takeFree();
    if (free) return free;
    await this.#granted(turn);
    return this.#taken();
  }

  /** A slot, if one is free. */
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

  /** A slot that becomes free goes to the first in line, so a grant that nobody waits for any more goes on to the next. */
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
