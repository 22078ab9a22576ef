// Compares the table of models with what others say. A deviation is `source model: fact: expected …, found …`.

/** How an expected fact shows in the table: true if it agrees. An unknown fact of ours agrees only where nothing is limited. */
const AGREES = {
  maxOutput: (value, facts) => facts.maxOutput === undefined || facts.maxOutput === value,
  prefill: (value, facts) => (facts.prefill ?? true) === value,
  forcedCalls: (value, facts) => (facts.forcedCalls !== false) === value,
  midSystem: (value, facts) => (facts.midSystem ?? true) === value,
  adaptive: (_, facts) => /^adaptive/.test(facts.thinking ?? "adaptive"),
  sampling: (_, facts) => [facts.refused, facts.refusedWithReasoning].some((list) => list?.includes("temperature")),
  parallelCalls: (value, facts) => facts.parallelCalls === value,
  reasons: (value, facts) => (facts.efforts?.length !== 0 && facts.thinking !== undefined) === value,
  onlyResponses: (_, facts) => facts.toolsApi === "responses",
  off: (value, facts) => (facts.off !== false) === value,
};

function agrees(fact, value, facts) {
  const [, effort] = fact.split(":");
  if (effort === undefined) return AGREES[fact](value, facts);
  return facts.efforts === undefined || facts.efforts.includes(effort) === value;
}

const shown = (fact, facts) => {
  const [name] = fact.split(":");
  const key = {
    effort: "efforts",
    adaptive: "thinking",
    sampling: "refused",
    reasons: "efforts",
    onlyResponses: "toolsApi",
  }[name];
  return JSON.stringify(facts[key ?? name]);
};

/** The deviations of one source's models: `{ source, model, fact, expected, found }`. */
export function compare(source, models, modelFacts) {
  const deviations = [];
  for (const { model, to, platform, facts = {} } of models) {
    const own = modelFacts(model, { to, ...(platform && { platform }) });
    const deviate = (fact, expected, found) => deviations.push({ source, model, fact, expected, found });
    if (own?.known !== true) {
      deviate("known", true, own?.known);
      continue;
    }
    for (const [fact, expected] of Object.entries(facts)) {
      if (!agrees(fact, expected, own)) deviate(fact, expected, shown(fact, own));
    }
  }
  return deviations;
}

/** The deviations without a reason, and the reasons without a deviation. A reason: `{ source?, models, facts, reason }`, patterns. */
export function explain(deviations, reasons) {
  const used = new Set();
  const covers = ({ source, models, facts }, deviation) =>
    (source === undefined || source === deviation.source) &&
    new RegExp(`^(?:${models})$`).test(deviation.model) &&
    new RegExp(`^(?:${facts})$`).test(deviation.fact);
  const open = deviations.filter((deviation) => {
    const found = reasons.filter((reason) => covers(reason, deviation));
    for (const reason of found) used.add(reason);
    return found.length === 0;
  });
  return { open, unused: reasons.filter((reason) => !used.has(reason)) };
}
