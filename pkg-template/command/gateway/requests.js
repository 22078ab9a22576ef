// What is known about each request that runs: the events of a request have its id.

const MOST = 10_000;

/** Facts by request id. The oldest are forgotten, should an end be missed. */
export class Requests {
  #known = new Map();
  #count = 0;

  /** The facts of a request, created at its first event. */
  of(id) {
    let facts = this.#known.get(id);
    if (!facts) {
      this.#count++;
      facts = { number: this.#count, lost: new Set() };
      this.#known.set(id, facts);
      if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value);
    }
    return facts;
  }

  end(id) {
    this.#known.delete(id);
  }
}
