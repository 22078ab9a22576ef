// A first-in, first-out queue.

/** Both operations take constant time on average; `shift` of a long array does not. */
export class Queue<Item> {
  #items: Item[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first] as Item;
    this.#items[this.#first++] = undefined as Item;
    if (this.#first > 512 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
