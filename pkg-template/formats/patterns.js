// A pattern language for JSON values: `a.b` is a member that is present and not null, `a[].b` one in any item of an array, `=text` a
// value, `:type` a type, `~expression` a string that matches, and `|` separates alternatives.

/** Maximum number of array items that are inspected. A sparse array can have a length of up to 2³². */
const MOST_ITEMS = 10_000;

const shape = /^(.*?)(?:=(.*)|:(.*)|~(.*))?$/;

export function matches(value, pattern) {
  return pattern.split("|").some((alternative) => {
    const [, path, equal, type, expression] = shape.exec(alternative);
    return someAt(value, path.match(/\[\]|[^.[]+/g) ?? [], (found) => {
      if (equal !== undefined) return found === equal;
      if (type !== undefined) return (Array.isArray(found) ? "array" : typeof found) === type;
      return expression === undefined || (typeof found === "string" && new RegExp(expression).test(found));
    });
  });
}

/** Whether a value at a path passes a test. */
function someAt(value, [step, ...rest], test) {
  if (value === undefined || value === null) return false;
  if (step === undefined) return test(value);
  if (step !== "[]")
    return (
      typeof value === "object" &&
      !Array.isArray(value) &&
      Object.hasOwn(value, step) &&
      someAt(value[step], rest, test)
    );
  if (!Array.isArray(value)) return false;
  const count = Math.min(value.length, MOST_ITEMS);
  for (let i = 0; i < count; i++) if (someAt(value[i], rest, test)) return true;
  return false;
}
