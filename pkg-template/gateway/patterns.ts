// Patterns of model names: `*` stands for any text.

/** Whether a pattern matches the whole name. */
export function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** The upstream's name of a model. Names that no pattern matches are not changed. */
export function mappedModel(models: string | Record<string, string> | undefined, name: string | undefined) {
  if (models === undefined || typeof models === "string") return models ?? name;
  if (name === undefined) return undefined;
  if (Object.hasOwn(models, name)) return models[name];
  const pattern = Object.keys(models).find((pattern) => matches(pattern, name));
  return pattern === undefined ? name : models[pattern];
}
