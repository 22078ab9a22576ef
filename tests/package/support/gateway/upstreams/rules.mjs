// Rules for requests, as functions `(value, path, complain)`. Objects are closed: a field without a rule is refused.

export const anything = () => {};

export const text = (value, path, complain) => {
  if (typeof value !== "string") complain(path, "is no text");
};
export const filledText = (value, path, complain) => {
  if (typeof value !== "string" || value.trim() === "") complain(path, "is no text, or a blank one");
};
export const matching = (pattern) => (value, path, complain) => {
  if (typeof value !== "string" || !pattern.test(value)) complain(path, `does not match ${pattern}`);
};
export const oneOf =
  (...values) =>
  (value, path, complain) => {
    if (!values.includes(value)) complain(path, `is none of ${values.join(", ")}`);
  };
export const wholeNumber = (value, path, complain) => {
  if (!Number.isInteger(value) || value < 0) complain(path, "is no count");
};
export const anyObject = (value, path, complain) => {
  if (!isObject(value)) complain(path, "is no object");
};
export const jsonObject = (value, path, complain) => {
  try {
    anyObject(JSON.parse(value), path, complain);
  } catch {
    complain(path, "is no JSON");
  }
};
export const base64 = matching(/^[A-Za-z0-9+/]+={0,2}$/);
export const imageType = oneOf("image/png", "image/jpeg", "image/gif", "image/webp");

export const list =
  (rule, least = 1) =>
  (value, path, complain) => {
    if (!Array.isArray(value)) return complain(path, "is no list");
    if (value.length < least) complain(path, `has less than ${least}`);
    for (const [index, item] of value.entries()) rule(item, `${path}/${index}`, complain);
  };

export const object =
  (required, optional = {}) =>
  (value, path, complain) => {
    if (!isObject(value)) return complain(path, "is no object");
    for (const key of Object.keys(required)) if (!Object.hasOwn(value, key)) complain(path, `lacks ${key}`);
    const rules = { ...required, ...optional };
    for (const [key, field] of Object.entries(value)) {
      if (Object.hasOwn(rules, key)) rules[key](field, `${path}/${key}`, complain);
      else complain(path, `has an unknown ${key}`);
    }
  };

/** Objects of several kinds, which the field `key` distinguishes. */
export const kinds = (key, rules) => (value, path, complain) => {
  if (!isObject(value) || !Object.hasOwn(rules, value[key])) return complain(path, `has no known ${key}`);
  const { [key]: _, ...rest } = value;
  rules[value[key]](rest, path, complain);
};

export const either = (isFirst, first, second) => (value, path, complain) =>
  (isFirst(value) ? first : second)(value, path, complain);
export const textOr = (rule) => either((value) => typeof value === "string", text, rule);

/** Fields that may have any value, because they are not tested. */
export const free = (names) => Object.fromEntries(names.split(/\s+/).map((name) => [name, anything]));

export const toolName = matching(/^[a-zA-Z0-9_-]{1,64}$/);

/** Checks that every call has one result, and every result a call: `[…ids]` against `[…ids]`. */
export function pairUp(calls, results, path, complain) {
  for (const id of calls) {
    const count = results.filter((other) => other === id).length;
    if (count !== 1) complain(path, `has ${count} results of the call ${id}`);
  }
  for (const id of results)
    if (!calls.includes(id)) complain(path, `has a result of ${id}, which is no call before it`);
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
