// Converts values to JSON values.

import { wellFormedText } from "./well-formed.js";

/** Deeper values are refused by JSON parsers, those of providers among them. */
export const MAX_DEPTH = 100;

/** Whether a value is nested more deeply. */
export function isDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((member) => isDeep(member, left - 1));
}

/** The JSON Pointer of these keys. */
export function pointer(keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Thrown for a value that JSON can't represent. */
export class NotJson {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string) {
    this.path = path;
    this.reason = reason;
  }
}

/**
 * Returns a copy of a value as JSON: what `JSON.stringify` writes, except that nothing is dropped or changed silently.
 * Maps and sets become objects and arrays. Undefined fields are left out.
 *
 * @throws NotJson for cycles, BigInt, functions, symbols, non-finite numbers, maps with keys that are not strings, and
 * values that are nested too deeply.
 */
export function toJson(value: unknown): unknown {
  return copy(value, [], new Set());
}

function copy(value: unknown, path: PropertyKey[], parents: Set<object>): unknown {
  switch (typeof value) {
    case "string":
      return wellFormedText(value);
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(pointer(path), `is ${value}`);
      return value;
    case "object":
      return value === null ? null : copyObject(value, path, parents);
    case "undefined":
      return null;
    default:
      throw new NotJson(pointer(path), `is a ${typeof value}`);
  }
}

function copyObject(value: object, path: PropertyKey[], parents: Set<object>): unknown {
  if (parents.has(value)) throw new NotJson(pointer(path), "contains itself");
  if (parents.size >= MAX_DEPTH)
    throw new NotJson(pointer(path.slice(0, 3)), `is nested more than ${MAX_DEPTH} levels deep`);
  parents.add(value);
  const copied = copyMembers(value, path, parents);
  parents.delete(value);
  return copied;
}

function copyMembers(value: object, path: PropertyKey[], parents: Set<object>): unknown {
  const at = (key: PropertyKey, member: unknown) => copy(member, [...path, key], parents);
  if (Array.isArray(value)) return Array.from(value, (item, index) => at(index, item));
  if (value instanceof Set) return [...value].map((item, index) => at(index, item));
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), path, parents);
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return value.valueOf();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) throw new NotJson(pointer(path), "is binary");
  if (value instanceof Promise) throw new NotJson(pointer(path), "is a promise");
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (isUnread(value)) throw new NotJson(pointer(path), "is a stream or an iterator that was not read");
  const copied: Record<string, unknown> = {};
  for (const [key, member] of value instanceof Map ? value : Object.entries(value)) {
    if (typeof key !== "string") throw new NotJson(pointer(path), "is a map with keys that are not strings");
    if (member !== undefined) define(copied, wellFormedText(key), at(key, member));
  }
  return copied;
}

/** Whether an object consists of what it would yield. As JSON, it would be an empty object. */
function isUnread(value: object): boolean {
  if (value instanceof Map || Object.keys(value).length > 0) return false;
  return Symbol.iterator in value || Symbol.asyncIterator in value || "getReader" in value;
}

/** A copy of a JSON value. */
export function cloneJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const cloned: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) define(cloned, key, cloneJson(member));
  return cloned;
}

/** Sets a field, including `__proto__`, which an assignment would lose. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
