// Replaces halves of surrogate pairs, which no provider accepts, by U+FFFD.

const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function wellFormedText(text: string): string {
  return text.replace(half, "\ufffd");
}

/** `JSON.stringify` writes a half of a pair as an escape, and nothing else that begins like one. */
export function wellFormedJson(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replace(/\\(?:(ud[89a-f][0-9a-f]{2})|.)/g, (found, isHalf) => (isHalf ? "\ufffd" : found));
}

/** The value itself, or a copy without halves of pairs. */
export function wellFormed<Value>(value: Value): Value {
  const json = JSON.stringify(value);
  const fixed = wellFormedJson(json);
  return fixed === json ? value : (JSON.parse(fixed) as Value);
}
