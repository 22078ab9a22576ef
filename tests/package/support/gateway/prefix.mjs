// What a provider caches: the system instructions, the tools, and the messages of the request before, if the next one begins with the same bytes.

const SAME = ["system", "instructions", "systemInstruction", "system_instruction", "tools", "toolConfig"];
const GROWING = ["messages", "input", "contents"];
/** Marks of what to cache are no part of what is cached, and move on with the conversation. */
const MARKS = new Set(["cache_control", "prompt_cache_breakpoint"]);

const textOf = (value) => JSON.stringify(value, (key, part) => (MARKS.has(key) ? undefined : part)) ?? "";
/** The JSON of an array without its end. */
const open = (list) => textOf(list).slice(0, -1);

/** The places at which a body does not begin as the one before it. */
export function brokenPrefixes(bodies) {
  return bodies.slice(1).flatMap((next, index) => {
    const before = bodies[index];
    return [
      ...SAME.map((key) => ({ key, was: textOf(before[key]), is: textOf(next[key]) })).filter(
        ({ was, is }) => was !== is,
      ),
      ...GROWING.filter((key) => Array.isArray(before[key]))
        .map((key) => ({ key, was: open(before[key]), is: open(next[key]) }))
        .filter(({ was, is }) => !is.startsWith(was)),
    ].map(({ key, was, is }) => `${key} of request ${index + 2}: ${difference(was, is)}`);
  });
}

/** What stands around the first difference. */
function difference(was, is) {
  const end = was.split("").findIndex((unit, index) => unit !== is[index]);
  const around = (text) => `…${text.slice(Math.max(0, end - 80), end + 120)}…`;
  return `${around(was)} became ${around(is)}`;
}
