// What is sent to 40 models for 12 kinds of requests, judged by what the catalogues say about these models. It does not read our table.

const USER = { role: "user", content: "Hi" };
const TOOL = { name: "f", parameters: { type: "object", properties: {}, additionalProperties: false } };
const SCHEMA = { type: "object", properties: {}, additionalProperties: false };

/** What is asked for, and whether a body contains it. */
const SHAPES = {
  off: [{ reasoning: { effort: "none" } }, (body) => isOff(body)],
  minimal: [{ reasoning: { effort: "minimal" } }, (body) => effortOf(body) === "minimal"],
  low: [{ reasoning: { effort: "low" } }, (body) => effortOf(body) === "low"],
  high: [{ reasoning: { effort: "high" } }, (body) => effortOf(body) === "high"],
  max: [{ reasoning: { effort: "max" } }, (body) => effortOf(body) === "max"],
  budget: [{ maxTokens: 9000, reasoning: { budgetTokens: 4000 } }, (body) => budgetOf(body) === 4000],
  sampling: [{ temperature: 0.2, topP: 0.5 }, (body) => samplingOf(body).length === 2],
  penalties: [{ presencePenalty: 0.5 }, (body) => penaltyOf(body) !== undefined],
  forced: [{ tools: [TOOL], toolChoice: "required" }, (body) => isForced(body)],
  prefill: [{ messages: [USER, { role: "assistant", content: "So" }] }, (body) => endsWithAssistant(body)],
  format: [
    { responseFormat: { type: "jsonSchema", schema: SCHEMA, strict: true } },
    (body) => /"json_schema"|responseJsonSchema/.test(JSON.stringify(body)),
  ],
  strict: [{ tools: [{ ...TOOL, strict: true }] }, (body) => /"strict":true|"VALIDATED"/.test(JSON.stringify(body))],
};

const config = (body) => body.generationConfig ?? {};
const effortOf = (body) =>
  body.reasoning_effort ??
  body.reasoning?.effort ??
  body.output_config?.effort ??
  config(body).thinkingConfig?.thinkingLevel?.toLowerCase();
const budgetOf = (body) => body.thinking?.budget_tokens ?? config(body).thinkingConfig?.thinkingBudget;
const isOff = (body) =>
  effortOf(body) === "none" || ["disabled", "between_tools"].includes(body.thinking?.type) || budgetOf(body) === 0;
const samplingOf = (body) =>
  [body.temperature ?? config(body).temperature, body.top_p ?? config(body).topP].filter(
    (value) => value !== undefined,
  );
const penaltyOf = (body) => body.presence_penalty ?? config(body).presencePenalty;
const isForced = ({ tool_choice: choice, toolConfig }) =>
  choice === "required" || ["any", "tool"].includes(choice?.type) || toolConfig?.functionCallingConfig?.mode === "ANY";
const endsWithAssistant = (body) =>
  ["assistant", "model"].includes((body.messages ?? body.contents ?? body.input).at(-1).role);

/** What in a body a catalogue calls refused. */
function refused(body, facts, to) {
  const effort = effortOf(body);
  const found = [];
  if (effort !== undefined && facts[`effort:${effort}`] === false) found.push(`effort ${effort}`);
  if (facts.reasons === false && (effort !== undefined || body.thinking !== undefined || budgetOf(body) !== undefined))
    found.push("reasoning");
  if (facts.off === false && isOff(body) && body.thinking?.type !== "between_tools") found.push("off");
  if (facts.sampling === false && to === "anthropic" && samplingOf(body).length > 0) found.push("sampling");
  if (facts.forcedCalls === false && isForced(body)) found.push("forced call");
  if (facts.prefill === false && endsWithAssistant(body)) found.push("prefill");
  return found;
}

/** `{ rows: [[model, …cells]], columns, violations, silent }`: cells are "sent", or the codes of the warnings. */
export function requestMatrix(models, convert) {
  const rows = [];
  const violations = [];
  const silent = [];
  for (const { model, to, platform, facts } of models) {
    const cells = Object.entries(SHAPES).map(([shape, [asked, isThere]]) => {
      const warnings = [];
      const options = {
        from: "canonical",
        to,
        ...(platform && { platform }),
        onWarning: ({ code }) => warnings.push(code),
      };
      const anthropic = to === "anthropic" ? { maxTokens: 9000, anthropicVersion: "2023-06-01" } : {};
      const { anthropicVersion, ...more } = anthropic;
      const body = convert(
        { model, messages: [USER], ...more, ...asked },
        { ...options, ...(anthropicVersion && !platform && { anthropicVersion }) },
      );
      for (const what of refused(body, facts, to)) violations.push(`${model} ${shape}: ${what}`);
      if (isThere(body)) return "sent";
      if (warnings.length === 0) silent.push(`${model} ${shape}`);
      return [...new Set(warnings)].join(" ") || "nothing";
    });
    rows.push([`${model} (${to}${platform ? `, ${platform}` : ""})`, ...cells]);
  }
  return { columns: ["model", ...Object.keys(SHAPES)], rows, violations, silent };
}

/** Forty models with the most facts, by both catalogues. */
export function chosenModels(catalogues, count = 40) {
  const merged = new Map();
  for (const { models } of Object.values(catalogues)) {
    for (const { model, to, platform, facts } of models) {
      if (/[/@]|\d{6}|\.anthropic\.|^azure/.test(model)) continue;
      const key = `${to} ${platform ?? ""} ${model}`;
      merged.set(key, { model, to, platform, facts: { ...merged.get(key)?.facts, ...facts } });
    }
  }
  const one = [...merged.values()];
  const byFacts = (a, b) => Object.keys(b.facts).length - Object.keys(a.facts).length || a.model.localeCompare(b.model);
  const share = Math.ceil(count / 4);
  const of = (is) => one.filter(is).sort(byFacts).slice(0, share);
  return [
    ...of(({ to }) => to === "openai"),
    ...of(({ to, platform }) => to === "anthropic" && !platform),
    ...of(({ to, platform }) => to === "anthropic" && platform),
    ...of(({ to }) => to === "gemini" || to === "vertexai"),
  ].slice(0, count);
}
