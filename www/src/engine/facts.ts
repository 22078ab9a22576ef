// What models and servers accept, from the package's tables.

import { type Dialect, modelFacts, serverFacts } from "toolwire";
import { dialects } from "../../../build/generated/facts.js";
import type { Fact, Tasks } from "./protocol.ts";

/** The facts of models, by name, where one of the providers hosts them. Names of no known family are left out. */
export function factsOfModels({ names, to, platform }: Tasks["modelFacts"]["task"]): Tasks["modelFacts"]["result"] {
  const target = platform === "bedrock" || platform === "vertex" ? { to, platform } : { to };
  const models = names.flatMap((name) => {
    const found = modelFacts(name, target as Parameters<typeof modelFacts>[1]);
    if (!found) return [];
    const { family, known, ...facts } = found;
    return [{ name, family, isKnown: known, facts: factsIn(facts) }];
  });
  return { models };
}

/** The facts of servers, for each format that they speak. */
export function factsOfServers({ names }: Tasks["serverFacts"]["task"]): Tasks["serverFacts"]["result"] {
  const servers = names.flatMap((name) =>
    (dialects as Dialect[]).flatMap((to) => {
      const found = serverFacts({ server: name as Parameters<typeof serverFacts>[0]["server"] & string, to });
      if (!found) return [];
      const { url, key, ...facts } = found;
      return [{ name, to, ...(url && { url }), ...(key && { key }), facts: factsIn(facts) }];
    }),
  );
  return { servers };
}

const factsIn = (facts: object): Fact[] =>
  Object.entries(facts).map(([name, value]) => ({
    name,
    value: Array.isArray(value)
      ? value.join(", ") || "none"
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value),
  }));
