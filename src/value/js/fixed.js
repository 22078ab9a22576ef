// The values that have the same slot in all heaps, in the order of mod.rs: wasm knows them by their handles.

import { kindOf } from "./values.js";

export class Fixed {
  /** The words are keys that stand on end: `,"role":,"content":,"":`. The last is none. */
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
