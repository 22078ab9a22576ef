// Bytes in the objects of the AWS SDK, which are base64 in the REST API.

import { define, sizeOf } from "../value/js/values.js";

/** The deepest bytes are at `messages/0/content/0/toolResult/content/0/image/source/bytes`. */
const DEEPEST = 10;
const MOST = 1 << 20;
/** As many arguments as every engine accepts in a call. */
const CHUNK = 1 << 13;
/** The keys of bytes. */
const KEYS = ["bytes", "redactedContent"];
/** What is under these keys is JSON of the conversation. */
const DOCUMENTS = ["input", "json", "additionalModelRequestFields", "additionalModelResponseFields"];

/** The value with base64 in place of bytes. */
export function withBase64(value) {
  return replaced(value, (member) => (sizeOf(member) >= 0 ? base64(member) : member));
}

/** The value with bytes in place of base64. */
export function withBytes(value) {
  return replaced(value, (member, key) => (typeof member === "string" && KEYS.includes(key) ? bytes(member) : member));
}

/**
 * Only what contains a replaced value is copied. A value that can't be read, or is too large to be searched, is returned unchanged: the conversion
 * reports what is wrong with it.
 */
function replaced(value, change) {
  try {
    return search(value, "", { change, left: MOST }, DEEPEST);
  } catch {
    return value;
  }
}

function search(value, key, task, depth) {
  const changed = task.change(value, key);
  if (changed !== value || typeof value !== "object" || value === null || depth === 0) return changed;
  if (task.left-- === 0) throw new RangeError("too large");
  let copy;
  for (const name of Object.keys(value)) {
    if (DOCUMENTS.includes(name)) continue;
    const member = search(value[name], name, task, depth - 1);
    if (member === value[name]) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    define(copy, name, member);
  }
  return copy ?? value;
}

function base64(given) {
  let text = "";
  for (let at = 0; at < given.length; at += CHUNK) text += String.fromCharCode(...given.subarray(at, at + CHUNK));
  return btoa(text);
}

/** The text itself if it is no base64. */
function bytes(text) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return text;
  }
}
