// A pattern language for JSON values: `a.b` is a member that is present and not null, `a[].b` one in any item of an array, `=text` a
// value, `:type` a type, `~expression` a string that matches, and `|` separates alternatives.

/** Maximum number of array items that are inspected. A sparse array can have a length of up to 2³². */
const MOST_ITEMS = 100_000;

const shape = /^(.*?)(?:=(.*)|:(.*)|~(.*))?$/;

export function matches(value, pattern) {
  return pattern.split("|").some((alternative) => {
    const [, path, equal, type, expression] = shape.exec(alternative);
    return valuesAt(value, path.match(/\[\]|[^.[]+/g) ?? []).some((found) => {
      if (found === undefined || found === null) return false;
      if (equal !== undefined) return found === equal;
      if (type !== undefined) return (Array.isArray(found) ? "array" : typeof found) === type;
      return expression === undefined || (typeof found === "string" && new RegExp(expression).test(found));
    });
  });
}

function valuesAt(value, [step, ...rest]) {
  if (step === undefined) return [value];
  if (step === "[]")
    return Array.isArray(value) ? value.slice(0, MOST_ITEMS).flatMap((item) => valuesAt(item, rest)) : [];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}
