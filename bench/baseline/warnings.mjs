// The baseline's warnings about losses: it checks the same conditions as the package, and builds a path only for a warning.

/** State of one provider that other providers can't use. */
const state = ["id", "item", "status", "phase", "fingerprint", "anthropic_version"];

/** How a request is cached, stored and billed: losing it does not change the response. */
const hints = [
  "store",
  "include",
  "cache_control",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "service_tier",
  "stream_options",
  "detail",
];

const withoutContent = new Set([...state, ...hints]);

/** Unknown fields that are null, "", [] or {} are not reported. */
function isEmptyValue(value) {
  if (value === null || value === "" || value === undefined) return true;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

/** The number of fields of an object: if it equals the number of known fields, the fields need not be checked. */
export function fieldCount(object) {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}

/** Reports a field that the target has no place for. */
export function warnAboutField(warnings, path, key, value) {
  if (isEmptyValue(value)) return;
  warnings.push({ code: withoutContent.has(key) ? "state_dropped" : "field_dropped", path: `${path}/${key}` });
}

export const warn = (warnings, code, path) => warnings.push({ code, path });

const blank = /^\s*$/;

/** Nearly all texts start with a letter, which is checked without the regular expression. */
export function isBlank(text) {
  const first = text.charCodeAt(0);
  if ((first > 0x20 && first < 0x7f) || (first > 0x3000 && first < 0xd800)) return false;
  return blank.test(text);
}

/** Throws: the baseline must not be faster because it skips work. */
export function notCovered(what) {
  throw new Error(`the baseline does not know ${what}`);
}
