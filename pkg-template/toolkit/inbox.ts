// A queue that passes messages from callbacks to an async loop.

import { Queue } from "./queue.js";

/** A queue of messages for a single reader. */
export class Inbox<Message> {
  readonly #messages = new Queue<Message>();
  #error: unknown;
  #isOver = false;
  #wake = () => {};

  push(message: Message): void {
    this.#messages.push(message);
    this.#wake();
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#error = error;
    this.close();
  }

  close(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The next message. Undefined after the last one. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#messages.length === 0 && this.#error !== undefined) throw this.#error;
    return this.#messages.shift();
  }
}
