// Writes the responses of `stream-scenarios.mjs` like Google's streams, without this package.

import { statuses } from "./gateway/upstreams/gemini-interactions.mjs";

const argumentsOf = ({ pieces }) => JSON.parse(pieces.join("") || "{}");

export function gemini(answer) {
  const chunk = (parts, last = {}, usageMetadata = {}) => ({
    candidates: [{ index: 0, content: { role: "model", parts }, ...last }],
    usageMetadata: { promptTokenCount: answer.usage.input, totalTokenCount: answer.usage.input, ...usageMetadata },
    modelVersion: answer.model,
    responseId: answer.id,
  });
  const functionCalls = ({ id, name, ...block }) => {
    if (!answer.partialArgs) return [{ id, name, args: argumentsOf(block) }];
    const pieces = answer.partialArgs.map((partialArgs) => ({ partialArgs, willContinue: true }));
    return [{ id, name, willContinue: true }, ...pieces, {}];
  };
  const parts = {
    text: ({ pieces }) => pieces.map((text) => ({ text })),
    reasoning: ({ pieces }) => pieces.map((text) => ({ text, thought: true })),
    call: (block) => functionCalls(block).map((functionCall) => ({ functionCall })),
  };
  const all = answer.blocks.flatMap((block, index) => {
    const own = parts[block.type](block);
    // Gemini signs the part after its reasoning, and calls without any
    const before = answer.blocks[index - 1];
    const signature = before?.type === "reasoning" ? before.signature : block.type === "call" && block.signature;
    if (signature) own[0].thoughtSignature = signature;
    return own;
  });
  const events = answer.together ? [chunk(all)] : all.map((part) => chunk([part]));
  if (answer.isCut) return events;
  if (answer.error) {
    const { code, message } = answer.error;
    return [...events, { error: { message, ...GEMINI_ERRORS[code] } }];
  }
  const { input, output, cached, reasoning = 0 } = answer.usage;
  const usage = {
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(cached && { cachedContentTokenCount: cached }),
    ...(reasoning && { thoughtsTokenCount: reasoning }),
  };
  const finishReason = GEMINI_REASONS[answer.finish];
  if (answer.isBlocked) {
    const { candidates: _, ...last } = chunk([], {}, usage);
    return [{ promptFeedback: { blockReason: finishReason }, ...last }];
  }
  const last = answer.endsWithLast ? [all.at(-1)] : [{ text: "" }];
  return [...events.slice(0, answer.endsWithLast ? -1 : undefined), chunk(last, { finishReason }, usage)];
}
const GEMINI_REASONS = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP", content_filter: "SAFETY" };
const GEMINI_ERRORS = {
  overloaded: { code: 503, status: "UNAVAILABLE" },
  rate_limit: { code: 429, status: "RESOURCE_EXHAUSTED" },
};

export function interactions(answer) {
  const described = { id: answer.id, object: "interaction", model: answer.model };
  const starts = {
    text: () => ({ type: "model_output" }),
    reasoning: () => ({ type: "thought" }),
    call: ({ id, name }) => ({ type: "function_call", id, name, arguments: {} }),
  };
  const deltas = {
    text: (text) => ({ type: "text", text }),
    reasoning: (text) => ({ type: "thought_summary", content: { type: "text", text } }),
    call: (given) => ({ type: "arguments_delta", arguments: given }),
  };
  const steps = answer.blocks.flatMap((block, index) => {
    const given = block.pieces.map(deltas[block.type]);
    if (block.signature) given.push({ type: "thought_signature", signature: block.signature });
    return [
      { event_type: "step.start", index, step: starts[block.type](block) },
      ...given.map((delta) => ({ event_type: "step.delta", index, delta })),
      { event_type: "step.stop", index },
    ];
  });
  const created = { event_type: "interaction.created", interaction: { ...described, status: "in_progress" } };
  const events = answer.blocks.length ? [created, ...steps] : [];
  if (answer.isCut) return events.slice(0, -1);
  if (answer.error) {
    const { code, message } = answer.error;
    return [...events, { event_type: "error", error: { code: INTERACTIONS_ERRORS[code], message } }];
  }
  const { input, output, cached, reasoning = 0 } = answer.usage;
  const usage = {
    total_input_tokens: input,
    // without the thoughts
    total_output_tokens: output - reasoning,
    ...(cached && { total_cached_tokens: cached }),
    ...(reasoning && { total_thought_tokens: reasoning }),
    total_tokens: input + output,
  };
  const status = statuses[answer.finish];
  return [...events, { event_type: "interaction.completed", interaction: { ...described, status, usage } }];
}
const INTERACTIONS_ERRORS = { overloaded: "UNAVAILABLE", rate_limit: "RESOURCE_EXHAUSTED" };
