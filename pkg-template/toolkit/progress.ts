// Limits the progress that a call reports.

/** The first values of a call are all reported, those after them only now and then. */
const MOST_AT_ONCE = 100;
const INTERVAL_MS = 100;

export class Progress {
  readonly #now: () => number;
  #count = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the next value is reported. */
  isShown(): boolean {
    if (this.#count < MOST_AT_ONCE) {
      this.#count++;
      return true;
    }
    const now = this.#now();
    if (now - this.#last < INTERVAL_MS) return false;
    this.#last = now;
    return true;
  }
}
