// The values that have the same slot in all heaps, in the order of mod.rs, so that wasm recognizes them by their handles.

import { kindOf } from "./values.js";

export class Fixed {
  /** `joined` contains the words as concatenated keys: `,"role":,"content":,"":`. The last one is not a word. */
  constructor(joined) {
    this.words = joined.slice(2, -2).split('":,"');
    this.values = [...this.words, null, false, true];
    this.last = this.values.length - 1;
    const handle = (value, slot) => (slot << 3) | kindOf(value);
    this.strings = new Map(this.words.map((text, slot) => [text, handle(text, slot)]));
    this.longest = Math.max(...this.words.map((word) => word.length));
    [this.null, this.false, this.true] = [null, false, true].map((value) => handle(value, this.values.indexOf(value)));
  }
}
