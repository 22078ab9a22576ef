// The JSON form of JavaScript values, by the rules of JSON.stringify, and questions about JSON text.

// The numbers of `Kind`.
export const NULL = 1;
export const BOOLEAN = 2;
export const NUMBER = 3;
export const STRING = 4;
const ARRAY = 5;
const OBJECT = 6;
export const OTHER = 7;

const LONGEST_MESSAGE = 300;
/** Limits of a comparison, for cyclic values. */
const DEEPEST_COMPARED = 1000;
const MOST_COMPARED = 1 << 21;

const classOf = Object.prototype.toString;
const isOwnEnumerable = Object.prototype.propertyIsEnumerable;
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayName = Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag).get;
const typedArrayLength = Object.getOwnPropertyDescriptor(typedArray, "length").get;

/** The length of a string in UTF-16 units; −1 for any other value. */
export function unitsOf(value) {
  return typeof value === "string" ? value.length : -1;
}

/** The length of a Uint8Array, such as a Buffer, of any realm; −1 for any other value. */
export function sizeOf(value) {
  return ArrayBuffer.isView(value) && typedArrayName.call(value) === "Uint8Array" ? typedArrayLength.call(value) : -1;
}

/** A view of an ArrayBuffer of any realm; undefined for any other value. */
export function viewOf(value) {
  try {
    if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
    const name = classOf.call(value);
    if (name !== "[object ArrayBuffer]" && name !== "[object SharedArrayBuffer]") return undefined;
    // the name can be forged, but DataView only accepts real buffers
    return new Uint8Array(new DataView(value).buffer);
  } catch {
    // a revoked Proxy, a Proxy or getter that throws, a forged name, or a detached buffer; reading the value as a body reports the reason
    return undefined;
  }
}

/** Whether JSON.stringify serializes the value without further steps: it is a primitive. Small, so that engines inline it. */
export function isPlain(value) {
  const type = typeof value;
  return type === "string" || type === "boolean" || (type === "number" && Number.isFinite(value)) || value === null;
}

export function kindOf(value) {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    case "object":
      if (value === null) return NULL;
      return Array.isArray(value) ? ARRAY : OBJECT;
    default:
      return OTHER;
  }
}

/** The value that JSON.stringify serializes in place of a property's value; undefined if it omits the property. */
export function prepare(value, key) {
  let type = typeof value;
  if (type === "object" || type === "bigint" || type === "function") {
    if (value === null) return null;
    const { toJSON } = value;
    if (typeof toJSON === "function") {
      value = Reflect.apply(toJSON, value, [String(key)]);
      if (value === null) return null;
      type = typeof value;
    }
  }
  if (type === "object") {
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) {
      value = key === "value" ? resultOf(unboxed(value)) : unboxed(value);
      type = typeof value;
    }
  }
  if (type === "number") return Number.isFinite(value) ? value : null;
  if (type !== "function" && type !== "symbol") return value;
  if (key === "value") resultOf(value);
  return undefined;
}

/**
 * The return value of a tool as a JSON value. An Error becomes its message. Throws for values that JSON would lose silently, such as a
 * Promise, which becomes `{}`, or a function.
 */
export function resultOf(value) {
  if (isError(value)) return errorText(value);
  const name = unfit(value);
  if (name !== undefined) throw new TypeError(`${name} is not a result of a tool`);
  return value;
}

function unfit(value) {
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  if (typeof value !== "object" || value === null || isReadableAs(value, "toJSON")) return undefined;
  if (isReadableAs(value, "then")) return "a Promise (await it first)";
  const name = nameOf(value);
  return ["Map", "Set", "WeakMap", "WeakSet", "WeakRef"].includes(name) ? `a ${name}` : undefined;
}

/** The name of the class; empty if a Proxy throws. */
function nameOf(value) {
  try {
    return classOf.call(value).slice(8, -1);
  } catch {
    return "";
  }
}

/** Whether the object has a method of this name; false if a Proxy throws. */
function isReadableAs(object, method) {
  try {
    return typeof object[method] === "function";
  } catch {
    return false;
  }
}

/** Whether the value is an error of any realm; false if a Proxy throws. */
function isError(value) {
  try {
    return value instanceof Error || nameOf(value) === "Error";
  } catch {
    return false;
  }
}

/** The text of an error for the model. */
function errorText(error) {
  try {
    return String(error.message) || String(error.name) || "Error";
  } catch {
    return "an error that cannot be shown";
  }
}

/** The primitive in a Number, String, Boolean or BigInt object of any realm; other objects unchanged. */
function unboxed(object) {
  switch (classOf.call(object)) {
    case "[object Number]":
      return holds(Number, object) ? Number(object) : object;
    case "[object String]":
      return holds(String, object) ? String(object) : object;
    case "[object Boolean]":
      return holds(Boolean, object) ? Boolean.prototype.valueOf.call(object) : object;
    case "[object BigInt]":
      return holds(BigInt, object) ? BigInt.prototype.valueOf.call(object) : object;
    default:
      return object;
  }
}

/** Whether the object really has this class, and not only its name. */
function holds(type, object) {
  try {
    type.prototype.valueOf.call(object);
    return true;
  } catch {
    return false;
  }
}

/** The length of an array; a Proxy can return any value. */
export function lengthOf(array) {
  const { length } = array;
  return length >>> 0 === length ? length : Math.max(0, Math.trunc(Number(length)) || 0);
}

export function define(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether JSON text is nested deeper than the limit. `parsed` is its value. Usually the text has too few brackets for that. */
export function isDeeper(text, limit, parsed) {
  return !opensUpTo(text, limit) && holdsDeeper(parsed(), limit);
}

/** Whether arrays and objects are nested deeper than the limit. */
function holdsDeeper(value, limit) {
  if (typeof value !== "object" || value === null) return false;
  return limit === 0 || Object.values(value).some((member) => holdsDeeper(member, limit - 1));
}

function opensUpTo(text, limit) {
  let found = 0;
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at + 1)) if (++found > limit) return false;
  for (let at = text.indexOf("["); at !== -1; at = text.indexOf("[", at + 1)) if (++found > limit) return false;
  return true;
}

/** Whether both are the same JSON value, apart from the order of keys. */
export function isSame(left, right) {
  return isAlike(left, right, DEEPEST_COMPARED, { left: MOST_COMPARED });
}

/** `budget.left` limits the number of steps. */
function isAlike(left, right, depth, budget) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  const isArray = Array.isArray(left);
  if (depth === 0 || isArray !== Array.isArray(right)) return false;
  return (isArray ? isAlikeArray : isAlikeObject)(left, right, depth - 1, budget);
}

function isAlikeArray(left, right, depth, budget) {
  const length = lengthOf(left);
  budget.left -= length + 1;
  if (length !== lengthOf(right) || budget.left < 0) return false;
  for (let i = 0; i < length; i++) {
    if (!isAlike(prepare(left[i], i) ?? null, prepare(right[i], i) ?? null, depth, budget)) return false;
  }
  return true;
}

function isAlikeObject(left, right, depth, budget) {
  const keys = Object.keys(left);
  budget.left -= keys.length + 1;
  if (budget.left < 0) return false;
  let count = 0;
  for (const key of keys) {
    const value = prepare(left[key], key);
    if (value === undefined) continue;
    if (!isOwnEnumerable.call(right, key)) return false;
    const other = prepare(right[key], key);
    if (other === undefined || !isAlike(value, other, depth, budget)) return false;
    count++;
  }
  for (const key of Object.keys(right)) if (prepare(right[key], key) !== undefined) count--;
  return count === 0;
}

/** Whether one of the words occurs in a value, as a key or a string. True if finding out would take too long. */
export function mentions(value, words) {
  const waiting = [value];
  for (let left = MOST_COMPARED; waiting.length > 0; left--) {
    const next = waiting.pop();
    if (typeof next === "string" && words.includes(next)) return true;
    if (typeof next !== "object" || next === null) continue;
    if (left < 0 || typeof next.toJSON === "function") return true;
    for (const key of Object.keys(next)) {
      if (words.includes(key)) return true;
      waiting.push(next[key]);
    }
  }
  return false;
}

/** A short description of a thrown value, which can be anything, even a value that can't be converted to a string. */
export function messageOf(error) {
  try {
    const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
    return String(message).slice(0, LONGEST_MESSAGE);
  } catch {
    return "something was thrown that cannot be shown";
  }
}

export function pointerStep(key) {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The JSON Pointer of the BigInt or cycle that JSON.stringify rejected; "" if it failed for another reason. */
export function placeOfRefusal(value) {
  const holders = [];
  const keys = [];
  let last;
  try {
    JSON.stringify(value, function (key, member) {
      const known = holders.lastIndexOf(this);
      const depth = known === -1 ? holders.push(this) - 1 : known;
      holders.length = depth + 1;
      keys.length = depth;
      keys.push(key);
      last = member;
      return member;
    });
  } catch {
    const isFound = typeof last === "bigint" || holders.includes(last);
    return isFound ? keys.slice(1).map(pointerStep).join("") : "";
  }
  return "";
}

/** Whether the message is that of a stack overflow. */
export function isOverflow(message) {
  return /^(Maximum call stack size exceeded|too much recursion)/.test(message);
}

/** The position of the syntax error according to the engine, in UTF-8 bytes; 0 if it does not report one. */
export function placeOf(error, text) {
  const message = messageOf(error);
  if (/^Unexpected end of JSON|: unexpected end of data/.test(message)) return sizeUpTo(text, text.length);
  const position = / at position (\d+)( \(line \d+ column \d+\))?$/.exec(message);
  if (position) return sizeUpTo(text, Number(position[1]));
  const place = / at line (\d+) column (\d+) of the JSON data$/.exec(message);
  if (!place) return 0;
  let start = 0;
  for (let line = 1; line < Number(place[1]); line++) start = text.indexOf("\n", start) + 1;
  return sizeUpTo(text, start + Number(place[2]) - 1);
}

/** The size in UTF-8 bytes of the first `units` UTF-16 units. */
function sizeUpTo(text, units) {
  let size = 0;
  for (let i = 0; i < units && i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // each half of a surrogate pair counts for two of the four bytes
    size += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  return size;
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const DECIMAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Matches numbers that are long or have an exponent: only these can lose digits in a double. */
const SUSPECT = /\d[\d.]{15}|\d[eE]/;

/** Whether a number in this JSON text changes when it is converted to a JavaScript number. */
export function losesDigits(text) {
  if (!SUSPECT.test(text)) return false;
  for (const [number] of text.replace(QUOTED, "").matchAll(DECIMAL)) {
    if (digitsOf(number) !== digitsOf(String(Number(number)))) return true;
  }
  return false;
}

/** The significant digits of a decimal number and the position of its point, which do not depend on the notation. */
function digitsOf(number) {
  const [mantissa, exponent = "0"] = number.replace("-", "").split(/[eE]/);
  const [whole, fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
