// The cost that calls may have.

/** A limit on the sum of costs. The costs of an inner run count towards the budget of its calling run, too. */
export class Budget {
  readonly #maximum: number;
  readonly #outer: Budget | undefined;
  #spent = 0;

  constructor(maximum = Number.POSITIVE_INFINITY, outer?: Budget) {
    this.#maximum = maximum;
    this.#outer = outer;
  }

  covers(cost: number): boolean {
    // tolerance for floating-point sums of decimal fractions
    if (this.#spent + cost > this.#maximum * (1 + 1e-12)) return false;
    return this.#outer?.covers(cost) ?? true;
  }

  spend(cost: number): void {
    this.#spent += cost;
    this.#outer?.spend(cost);
  }
}
