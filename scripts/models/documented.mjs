// Compares facts that no catalogue has with the pages that state them: `documented.json`.

/** `{ fact, to, models, names, value, source }`: `to` and `models` are patterns; `names` are models that the row of the table must have. */
const covers = ({ to, models }, model, dialect) =>
  new RegExp(`^(?:${to})$`).test(dialect) && new RegExp(`^(?:${models})$`).test(model);

/**
 * The deviations, one line each: a model whose fact has no source or another value, and a documented name that its own pattern does not cover.
 * `models` are those of the catalogues and SDKs.
 */
export function compareDocumented(documented, models, modelFacts) {
  const named = documented.flatMap(({ to, names }) =>
    to.split("|").flatMap((dialect) => names.map((model) => ({ model, to: dialect }))),
  );
  const facts = [...new Set(documented.map(({ fact }) => fact))];
  return [...models, ...named].flatMap(({ model, to, platform }) => {
    const own = modelFacts(model, { to, ...(platform && { platform }) }) ?? {};
    return facts.flatMap((fact) => {
      const found = documented.filter((row) => row.fact === fact && covers(row, model, to));
      const values = [...new Set(found.map(({ value }) => value))];
      const isNamed = named.some((other) => other.model === model && other.to === to);
      if (own[fact] === undefined && !isNamed) return [];
      if (values.length === 1 && values[0] === own[fact]) return [];
      return [`${to}: ${model}: ${fact}: documented ${JSON.stringify(values)}, found ${JSON.stringify(own[fact])}`];
    });
  });
}
