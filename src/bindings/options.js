// Reads options as a list. Most calls pass the same options again, so the last list is kept, and a call with an equal list skips
// deserialization. Objects are compared by their JSON text, because their content may change.

import { defaults } from "./shared.js";

// the results of `look`, in the order of `options.rs`
const OMITTED = 0;
const SAME = 1;
const CHANGED = 2;
const UNREADABLE = 3;
const NO_OBJECT = 4;

let known = [];
let latest = [];
let found;

/** Reads the options, and returns how to proceed. `take` returns the list, or the exception of a getter. */
export function look(options) {
  try {
    if (options === undefined || options === null) {
      if (defaults.options === undefined) return OMITTED;
    } else if (typeof options !== "object" || Array.isArray(options)) return NO_OBJECT;
    const list = changed(defaults.options === undefined ? options : merged(options));
    if (list === undefined) return known.length === 0 ? OMITTED : SAME;
    if (list.length === 0) return OMITTED;
    found = parsed(list);
    latest = list;
    return CHANGED;
  } catch (error) {
    found = error;
    return UNREADABLE;
  }
}

export function take() {
  const value = found;
  found = undefined;
  return value;
}

/** Keeps the list that `look` read last, because it was deserialized without an error. */
export function keep() {
  known = latest;
}

/** The options, with the defaults for those that are omitted. */
function merged(options) {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries([...Object.entries(defaults.options), ...given]);
}

/**
 * Names and values, with true before each value that is the JSON text of an object. Undefined, without building a list, if they equal
 * the known ones.
 */
function changed(options) {
  const before = known;
  let list;
  let same = 0;
  for (const name of Object.keys(options)) {
    const value = options[name];
    if (value === undefined || value === null) continue;
    if (name === "onWarning" && typeof value === "function") continue;
    const isObject = typeof value === "object";
    const content = isObject ? JSON.stringify(value) : value;
    if (list === undefined) {
      if (before[same] === name && before[same + 1] === isObject && before[same + 2] === content) {
        same += 3;
        continue;
      }
      list = before.slice(0, same);
    }
    list.push(name, isObject, content);
  }
  // a getter may have called the package with other options
  const isKnown = list === undefined && same === before.length && before === known;
  return isKnown ? undefined : (list ?? before.slice(0, same));
}

/** Names and values, for deserialization. */
function parsed(list) {
  const pairs = [];
  for (let i = 0; i < list.length; i += 3) pairs.push(list[i], list[i + 1] ? JSON.parse(list[i + 2]) : list[i + 2]);
  return pairs;
}

/** The context, with each Map replaced by an object. */
export function ofObjects(context) {
  const plain = ([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value];
  return Object.fromEntries(Object.entries(context).map(plain));
}

/** The function to call with warnings, or undefined. Throws the exception of a getter. */
export function listenerOf(options) {
  const listener = options?.onWarning ?? defaults.options?.onWarning;
  return typeof listener === "function" ? listener : undefined;
}

/** Keeps a copy of the options as the defaults of all later calls. */
export function setDefaults(options) {
  defaults.options = options === undefined || options === null ? undefined : { ...options };
}
