// The JavaScript half of the js store. Values stay in the slots of a heap, and wasm refers to them by number, so that nearly all calls
// pass only numbers. Exceptions of the caller's getters, `toJSON` methods or Proxy traps are caught and reported as a negative number.
import {
  BOOLEAN,
  define,
  isDeeper,
  isOverflow,
  isPlain,
  isSame,
  kindOf,
  lengthOf,
  losesDigits,
  mentions,
  messageOf,
  NULL,
  NUMBER,
  OTHER,
  placeOf,
  placeOfRefusal,
  pointerStep,
  prepare,
  STRING,
} from "./values.js";

// The steps that build a value, in the order of `Step` in mod.rs. The lower three bits are the step, the others its operand.
const BEGIN_OBJECT = 0;
const BEGIN_ARRAY = 1;
const END = 2;
const KEY = 3;
const PUT = 4;
const PUT_TEXT = 5;
const PUT_NUMBER = 6;
const START = 7;

// results that are neither a handle nor a count
const REFUSED = -1;
const TOO_DEEP = -2;
const TOO_LARGE = -3;
const NOT_JSON = -4;

/** The kind of a value that cannot be read. */
const UNREADABLE = 0;

/** The maximum number of entries of an array or object that a conversion reads. */
const MOST_ENTRIES = 1 << 22;

/** The values of one conversion. Heaps are independent, because conversions can be nested. */
export class Heap {
  constructor(host, fixed, depth) {
    this.host = host;
    this.fixed = fixed;
    this.depth = depth;
    // the values, in the slots after those of the fixed values
    this.slots = [];
    // the handles that were read last; if there are many, wasm fetches them in several calls
    this.handles = [];
    this.count = 0;
    // the value under construction: the innermost container, the key whose value follows, and the enclosing containers; and for each
    // separate value that was started, the array that receives it, and the previous state
    this.container = [];
    this.key = undefined;
    this.outer = [];
    this.starts = [];
    this.joined = "";
    this.offset = 0;
    this.message = "";
    this.place = "";
  }

  // ── handles ──────────────────────────────────────────────────────────────────────────────────────────────────────
  at(slot) {
    const { values } = this.fixed;
    return slot < values.length ? values[slot] : this.slots[slot - values.length];
  }

  /** Returns a handle: slot × 8 + kind. A fixed value gets its fixed slot, so that wasm recognizes it by the handle. */
  keep(value) {
    if (typeof value === "string") return this.keepText(value);
    const kind = kindOf(value);
    const { fixed } = this;
    if (kind === NULL || (kind === NUMBER && !Number.isFinite(value))) return fixed.null;
    if (kind === BOOLEAN) return value ? fixed.true : fixed.false;
    return this.push(value, kind);
  }

  keepText(text) {
    const { fixed } = this;
    const known = text.length <= fixed.longest ? fixed.strings.get(text) : undefined;
    return known === undefined ? this.push(text, STRING) : known;
  }

  push(value, kind) {
    return ((this.slots.push(value) + this.fixed.last) << 3) | kind;
  }

  adopt(value) {
    try {
      return this.keep(isPlain(value) ? value : prepare(value, ""));
    } catch (error) {
      return this.refuse(error);
    }
  }

  release(slot) {
    return this.at(slot);
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Reads the handles of each key and its value. If `isTolerant`, a value that can't be read is replaced by the reason. */
  fields(slot, isTolerant) {
    const { handles, slots } = this;
    const first = slots.length;
    let count = 0;
    let key;
    let next = 0;
    for (;;) {
      try {
        const object = this.at(slot);
        const keys = Object.keys(object);
        if (keys.length > MOST_ENTRIES) return TOO_LARGE;
        while (next < keys.length) {
          key = keys[next++];
          let value = object[key];
          if (!isPlain(value)) {
            value = prepare(value, key);
            if (value === undefined) continue;
          }
          const handle = this.keep(value);
          handles[count++] = this.keepText(key);
          handles[count++] = handle;
        }
        return this.show(count);
      } catch (error) {
        if (!isTolerant || key === undefined) {
          slots.length = first;
          return this.refuse(error, key === undefined ? "" : pointerStep(key));
        }
        handles[count++] = this.keepText(key);
        handles[count++] = this.push(messageOf(error), UNREADABLE);
      }
    }
  }

  items(slot) {
    const { handles, slots } = this;
    const first = slots.length;
    let count = 0;
    try {
      const array = this.at(slot);
      const length = lengthOf(array);
      if (length > MOST_ENTRIES) return TOO_LARGE;
      for (let i = 0; i < length; i++) {
        const value = array[i];
        handles[count++] = this.keep(isPlain(value) ? value : (prepare(value, i) ?? null));
      }
    } catch (error) {
      slots.length = first;
      return this.refuse(error);
    }
    return this.show(count);
  }

  /** From here until wasm has read the scratch area, no code of the caller may run. */
  show(count) {
    this.count = count;
    this.showFrom(0);
    return count;
  }

  /** Writes as many handles into the scratch area as fit. */
  showFrom(first) {
    const { handles, host } = this;
    const cells = host.cellsView();
    const shown = Math.min(this.count - first, host.capacity);
    for (let i = 0, at = host.scratch; i < shown; i++) cells[at + i] = handles[first + i];
  }

  /** Writes a string as UTF-8, up to the unit `end`. Returns −1 − its length if the capacity may be insufficient. */
  textAt(slot, end, pointer, capacity) {
    let text = this.at(slot);
    if (end < text.length) text = text.slice(0, end);
    return 3 * text.length <= capacity ? this.host.encode(text, 0, pointer, capacity) : -1 - text.length;
  }

  encodeAt(slot, from, pointer, capacity) {
    return this.host.encode(this.at(slot), from, pointer, capacity);
  }

  numberAt(slot) {
    return this.at(slot);
  }

  // ── creating ─────────────────────────────────────────────────────────────────────────────────────────────────────
  string(pointer, length) {
    return this.keep(this.host.decode(pointer, length));
  }

  join(slot) {
    this.joined += this.at(slot);
  }

  endJoin() {
    const { joined } = this;
    this.joined = "";
    return this.keep(joined);
  }

  parse(slot) {
    const text = this.at(slot);
    try {
      const value = JSON.parse(text);
      return isDeeper(text, this.depth, () => value) ? TOO_DEEP : this.keep(value);
    } catch (error) {
      if (isOverflow(messageOf(error))) return TOO_DEEP;
      this.offset = placeOf(error, text);
      return NOT_JSON;
    }
  }

  stringify(slot) {
    try {
      const text = JSON.stringify(this.at(slot));
      if (text === undefined) return this.refuse(new TypeError("JSON cannot express this value"));
      return isDeeper(text, this.depth, () => JSON.parse(text)) ? TOO_DEEP : this.keep(text);
    } catch (error) {
      const result = this.refuse(error, placeOfRefusal(this.at(slot)));
      if (isOverflow(this.message)) return TOO_DEEP;
      return /^(Invalid string length|allocation size overflow|Out of memory)/.test(this.message) ? TOO_LARGE : result;
    }
  }

  isRawForm(raw, parsed) {
    try {
      return JSON.stringify(this.at(parsed)) !== this.at(raw);
    } catch {
      return true;
    }
  }

  tail(slot, length) {
    return this.keep(this.at(slot).slice(length));
  }

  losesDigits(raw) {
    return losesDigits(this.at(raw));
  }

  same(left, right) {
    try {
      return isSame(this.at(left), this.at(right));
    } catch {
      return false;
    }
  }

  /** Whether the value contains one of the words, which are given by number. Other numbers are ignored. */
  mentions(slot, ...numbers) {
    try {
      const { words } = this.fixed;
      return mentions(
        this.at(slot),
        numbers.filter((number) => number < words.length).map((number) => words[number]),
      );
    } catch {
      return true;
    }
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Performs steps from wasm memory. Containers that they begin may be ended by later steps. */
  take(pointer, count) {
    const { host, outer } = this;
    const cells = host.cellsView();
    let { container, key } = this;
    for (let at = pointer >>> 2, end = at + count; at < end; ) {
      const step = cells[at] & 7;
      const operand = cells[at++] >>> 3;
      let value;
      switch (step) {
        case KEY:
          key = this.at(operand);
          continue;
        case END:
          key = undefined;
          container = outer.pop();
          continue;
        case START:
          outer.push(key, container);
          key = undefined;
          container = [];
          this.starts.push(container, outer.length);
          continue;
        case BEGIN_OBJECT:
          value = {};
          break;
        case BEGIN_ARRAY:
          value = [];
          break;
        case PUT:
          value = this.at(operand);
          break;
        case PUT_TEXT:
          value = host.decode(at << 2, operand);
          at += (operand + 3) >>> 2;
          break;
        case PUT_NUMBER:
          value = host.doubleOf(cells[at], cells[at + 1]);
          at += 2;
          break;
      }
      if (key === undefined) container.push(value);
      else if (key === "__proto__") define(container, key, value);
      else container[key] = value;
      key = undefined;
      if (step <= BEGIN_ARRAY) {
        outer.push(container);
        container = value;
      }
    }
    this.container = container;
    this.key = key;
  }

  /** Performs the last steps of a started value, and closes containers that a failed step left open. */
  finish(pointer, count) {
    this.take(pointer, count);
    const { outer, starts } = this;
    for (const depth = starts.pop(); outer.length > depth; ) outer.pop();
    const [value = null] = starts.pop();
    this.container = outer.pop();
    this.key = outer.pop();
    try {
      return this.keep(value);
    } catch {
      return this.push(value, OTHER); // a Proxy that has been revoked
    }
  }

  // ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────────
  refuse(error, place = "") {
    this.message = messageOf(error);
    this.place = place;
    return REFUSED;
  }

  endMessage() {
    const { message } = this;
    this.message = "";
    return this.keep(message);
  }

  faultPlace() {
    return this.keep(this.place);
  }

  faultOffset() {
    return this.offset;
  }
}
