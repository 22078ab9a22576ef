// The JavaScript half of the js store. Values stay here, in the slots of a frame; wasm names them by number, so that nearly
// every call takes and returns numbers only. Nothing here throws on account of the caller's values: what their getters,
// `toJSON` or Proxy traps throw is caught and reported as a negative number.
import {
  define,
  isDeeper,
  isPlain,
  isSame,
  kindOf,
  lengthOf,
  losesDigits,
  mentions,
  messageOf,
  placeOf,
  prepare,
} from "./values.js";

// Results that are no handle and no count.
const REFUSED = -1;
const TOO_DEEP = -2;
const TOO_LARGE = -3;
const NOT_JSON = -4;

/** No array or object that a conversion reads has more entries. */
const MOST_ENTRIES = 1 << 22;

/** The values of one conversion. Frames know nothing of each other, so conversions may run inside one another. */
export class Frame {
  constructor(host, depth) {
    this.host = host;
    this.depth = depth;
    this.slots = [];
    // Of what is being built: the innermost container, the key that waits for its value, and what is around them.
    this.container = [];
    this.key = undefined;
    this.outer = [];
    this.joined = "";
    this.offset = 0;
    this.message = "";
  }

  // ── handles ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /** A handle is slot × 8 + kind. */
  keep(value) {
    if (typeof value === "number" && !Number.isFinite(value)) value = null;
    const kind = kindOf(value);
    return ((this.slots.push(value) - 1) << 3) | kind;
  }

  adopt(value) {
    try {
      return this.keep(isPlain(value) ? value : prepare(value, ""));
    } catch (error) {
      return this.refuse(error);
    }
  }

  release(slot) {
    return this.slots[slot];
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────
  // Puts each key and its value into neighbouring slots. The scratch area is written last, when no code of the caller's can
  // run any more: its first number is the first slot, then come the rows of `describeFields`.
  fields(slot) {
    const { slots } = this;
    const first = slots.length;
    try {
      const object = slots[slot];
      const keys = Object.keys(object);
      if (keys.length > MOST_ENTRIES) return TOO_LARGE;
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i];
        let value = object[key];
        if (!isPlain(value)) {
          value = prepare(value, key);
          if (value === undefined) continue;
        }
        slots.push(key, value);
      }
      const count = (slots.length - first) >> 1;
      this.host.scratchView()[0] = first;
      return this.describeFields(first, count) < 0 ? REFUSED : count;
    } catch (error) {
      slots.length = first;
      return this.refuse(error);
    }
  }

  /** Rows of number of the word + kind of the value × 65536, as many as there is room for. */
  describeFields(first, count) {
    const { slots } = this;
    const { numbers } = this.host;
    try {
      const scratch = this.host.scratchView();
      const rows = Math.min(count, scratch.length - 1);
      for (let i = 0; i < rows; i++) {
        const number = numbers.get(slots[first + 2 * i]);
        const kind = kindOf(slots[first + 2 * i + 1]);
        scratch[i + 1] = (number === undefined ? numbers.size : number) | (kind << 16);
      }
      return rows;
    } catch (error) {
      return this.refuse(error);
    }
  }

  items(slot) {
    const { slots } = this;
    const first = slots.length;
    try {
      const array = slots[slot];
      const count = lengthOf(array);
      if (count > MOST_ENTRIES) return TOO_LARGE;
      for (let i = 0; i < count; i++) {
        let value = array[i];
        if (!isPlain(value)) {
          value = prepare(value, i);
          if (value === undefined) value = null;
        }
        slots.push(value);
      }
      this.host.scratchView()[0] = first;
      return this.describeItems(first, count) < 0 ? REFUSED : count;
    } catch (error) {
      slots.length = first;
      return this.refuse(error);
    }
  }

  /** The kinds, as many as there is room for. */
  describeItems(first, count) {
    const { slots } = this;
    try {
      const scratch = this.host.scratchView();
      const rows = Math.min(count, scratch.length - 1);
      for (let i = 0; i < rows; i++) scratch[i + 1] = kindOf(slots[first + i]);
      return rows;
    } catch (error) {
      return this.refuse(error);
    }
  }

  lengthAt(slot) {
    return this.slots[slot].length;
  }

  encodeAt(slot, from, pointer, room) {
    return this.host.encode(this.slots[slot], from, pointer, room);
  }

  wordAt(slot) {
    const number = this.host.numbers.get(this.slots[slot]);
    return number === undefined ? this.host.numbers.size : number;
  }

  numberAt(slot) {
    return this.slots[slot];
  }

  booleanAt(slot) {
    return this.slots[slot];
  }

  // ── making ───────────────────────────────────────────────────────────────────────────────────────────────────────
  string(pointer, length) {
    return this.slots.push(this.host.decode(pointer, length)) - 1;
  }

  join(slot) {
    this.joined += this.slots[slot];
  }

  endJoin() {
    const slot = this.slots.push(this.joined) - 1;
    this.joined = "";
    return slot;
  }

  parse(slot) {
    const text = this.slots[slot];
    if (isDeeper(text, this.depth)) return TOO_DEEP;
    try {
      return this.keep(JSON.parse(text));
    } catch (error) {
      this.offset = placeOf(error, text);
      return NOT_JSON;
    }
  }

  stringify(slot) {
    try {
      const text = JSON.stringify(this.slots[slot]);
      if (text === undefined) return this.refuse(new TypeError("JSON cannot express this value"));
      return isDeeper(text, this.depth) ? TOO_DEEP : this.keep(text);
    } catch (error) {
      const result = this.refuse(error);
      if (/^(Maximum call stack size exceeded|too much recursion)/.test(this.message)) return TOO_DEEP;
      return /^(Invalid string length|allocation size overflow|Out of memory)/.test(this.message) ? TOO_LARGE : result;
    }
  }

  isRawForm(raw, parsed) {
    try {
      return JSON.stringify(this.slots[parsed]) !== this.slots[raw];
    } catch {
      return true;
    }
  }

  head(slot, length) {
    return this.slots.push(this.slots[slot].slice(0, length)) - 1;
  }

  tail(slot, length) {
    return this.slots.push(this.slots[slot].slice(length)) - 1;
  }

  losesDigits(raw) {
    return losesDigits(this.slots[raw]);
  }

  same(left, right) {
    try {
      return isSame(this.slots[left], this.slots[right]);
    } catch {
      return false;
    }
  }

  /** The words by number; what is no number of a word is none. */
  mentions(slot, ...numbers) {
    try {
      const { words } = this.host;
      return mentions(
        this.slots[slot],
        numbers.filter((number) => number < words.length).map((number) => words[number]),
      );
    } catch {
      return true;
    }
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────
  place(value) {
    const { key } = this;
    if (key === undefined) {
      this.container.push(value);
      return;
    }
    this.key = undefined;
    if (key === "__proto__") define(this.container, key, value);
    else this.container[key] = value;
  }

  beginObject() {
    const object = {};
    this.place(object);
    this.outer.push(this.container);
    this.container = object;
  }

  beginArray() {
    const array = [];
    this.place(array);
    this.outer.push(this.container);
    this.container = array;
  }

  end() {
    this.key = undefined;
    this.container = this.outer.pop();
  }

  setKey(number) {
    this.key = this.host.words[number];
  }

  setKeyOf(slot) {
    this.key = this.slots[slot];
  }

  put(slot) {
    this.place(this.slots[slot]);
  }

  putText(pointer, length) {
    this.place(this.host.decode(pointer, length));
  }

  putWord(number) {
    this.place(this.host.words[number]);
  }

  putNumber(number) {
    this.place(Number.isFinite(number) ? number : null);
  }

  putBoolean(boolean) {
    this.place(boolean);
  }

  putNull() {
    this.place(null);
  }

  start() {
    this.outer.push(this.key, this.container);
    this.key = undefined;
    this.container = [];
  }

  finish() {
    const [value = null] = this.container;
    this.container = this.outer.pop();
    this.key = this.outer.pop();
    return this.keep(value);
  }

  // ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────────
  refuse(error) {
    this.message = messageOf(error);
    return REFUSED;
  }

  endMessage() {
    const slot = this.slots.push(this.message) - 1;
    this.message = "";
    return slot;
  }

  faultOffset() {
    return this.offset;
  }
}
