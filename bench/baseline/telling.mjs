// What the baseline tells of what gets lost: it looks where we look, and makes a path only where there is something to tell.

/** Bookkeeping of one provider: nobody else has a use for it. */
const state = new Set(["id", "item", "status", "phase", "fingerprint", "anthropic_version"]);

/** null, "", [] and {} of a field that nobody knows say nothing. */
function saysNothing(value) {
  if (value === null || value === "" || value === undefined) return true;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

/** How many fields an object has: where they are as many as are known, there are no others, and none need be looked at. */
export function fieldCount(object) {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}

/** A field that the target has no place for. */
export function tellField(warnings, path, key, value) {
  if (saysNothing(value)) return;
  warnings.push({ code: state.has(key) ? "state_dropped" : "field_dropped", path: `${path}/${key}` });
}

export const tell = (warnings, code, path) => warnings.push({ code, path });

const blank = /^\s*$/;

/** Nearly all texts begin with a letter: that is seen without the expression. */
export function isBlank(text) {
  const first = text.charCodeAt(0);
  if ((first > 0x20 && first < 0x7f) || (first > 0x3000 && first < 0xd800)) return false;
  return blank.test(text);
}

/** The work is not done: the baseline must not be faster for that. */
export function notCovered(what) {
  throw new Error(`the baseline does not know ${what}`);
}
