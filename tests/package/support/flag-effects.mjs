// An input for each option of conversions that the option affects.

export const ask = { role: "user", content: "Hi" };
const call = { id: "c1", name: "f", arguments: {} };
const calls = { role: "assistant", content: "", toolCalls: [call] };
const result = (kind, value, id = "c1") => ({ role: "tool", toolCallId: id, name: "f", kind, value });
const openAIResult = { role: "tool", tool_call_id: "c1", content: '{"a":1}' };
const openAICall = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
const openAICalls = { role: "assistant", tool_calls: [openAICall] };
const geminiCall = { role: "model", parts: [{ functionCall: { name: "f" } }] };
const tool = { name: "f", parameters: { type: "object", properties: { a: { type: "string" } } } };
const system = { role: "system", content: "s" };

/** Each flag with an input that it affects: [flag, value, from, to, body, kind]. */
export const effects = [
  ["lossy", "error", "canonical", "openai", { messages: [ask], topK: 1 }],
  ["missing-results", "drop", "canonical", "anthropic", { messages: [ask, calls, ask] }],
  ["orphan-results", "drop", "canonical", "anthropic", { messages: [ask, result("text", "r")] }],
  [
    "duplicate-results",
    "error",
    "canonical",
    "openai",
    { messages: [ask, calls, ...[1, 2].map(() => result("text", "r"))] },
  ],
  ["error-style", "prefix", "canonical", "openai", { messages: [ask, calls, result("error", "no")] }],
  ["json-results", "parse", "openai", "canonical", { messages: [ask, openAICalls, openAIResult] }],
  [
    "input-examples",
    "describe",
    "canonical",
    "openai",
    { messages: [ask], tools: [{ ...tool, inputExamples: [{ a: "x" }] }] },
  ],
  ["cache", "auto", "canonical", "anthropic", { model: "claude-opus-5", messages: [ask], maxTokens: 1 }],
  ["forms", "omit", "openai", "canonical", { messages: [ask], tools: null }],
  ["gemini-result-key", "result", "canonical", "gemini", { messages: [ask, calls, result("text", "r")] }],
  ["gemini-schema", "openapi", "canonical", "gemini", { messages: [ask], tools: [tool] }],
  ["anthropic-version", "2023-06-01", "canonical", "anthropic", { messages: [ask], maxTokens: 1, temperature: 0.5 }],
  ["platform", "bedrock", "canonical", "anthropic", { model: "m", messages: [ask], maxTokens: 1 }],
  ["server", "deepseek", "canonical", "openai", { model: "m", messages: [ask], maxTokens: 1 }],
  ["model", "other", "canonical", "openai", { model: "m", messages: [ask] }],
  ["default-max-tokens", "9", "canonical", "anthropic", { messages: [ask] }],
  ["stream", true, "canonical", "openai", { messages: [ask] }],
  ["system-role", "developer", "canonical", "openai", { messages: [system, ask] }],
  ["mid-system", "inline", "canonical", "anthropic", { messages: [ask, system], maxTokens: 1 }],
  ["id-seed", "seed", "gemini", "canonical", { candidates: [{ content: geminiCall }] }, "response"],
  [
    "reasoning",
    "hide",
    "gemini",
    "openai",
    { candidates: [{ content: { role: "model", parts: [{ text: "Hm", thought: true }, { text: "Hi" }] } }] },
    "response",
  ],
  ["stored-context", "drop", "openai-responses", "openai", { input: "Hi", previous_response_id: "resp_1" }],
  ["max-depth", "2", "canonical", "openai", { messages: [ask] }],
];
