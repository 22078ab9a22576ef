// Streamed responses as data: blocks in pieces, and the finish reason. `stream-sources.mjs` writes them like each provider;
// `stream-clients.mjs` reads them with the providers' clients.

const ALL = [
  ...["openai", "mistral", "openai-responses", "anthropic", "gemini", "vertexai", "gemini-interactions", "ollama"],
  "canonical",
];
/** Those that state parts of the counts. */
const IN_DETAIL = ALL.filter((source) => !["mistral", "ollama"].includes(source));
/** Those that state filtered content. */
const FILTERING = IN_DETAIL.filter((source) => source !== "gemini-interactions");

const text = (...pieces) => ({ type: "text", pieces });
const refusal = (...pieces) => ({ type: "refusal", pieces });
const reasoning = (issuer, ...pieces) => ({ type: "reasoning", issuer, pieces, signature: "c2lnbmF0dXJl" });
const call = (id, name, ...pieces) => ({ type: "call", id, name, pieces });

const paris = call("call_a", "get_weather", '{"ci', 'ty":"Pa', 'ris"}');
const rome = call("call_b", "get_weather", '{"city"', ':"Rome"}');
const LONG = Array.from({ length: 3000 }, (_, index) => `piece ${index}, `);

/** `sources` lists the sources that can express a scenario; the default is all. */
const scenarios = [
  { name: "text", blocks: [text("Hel", "lo, ", "world.")] },
  { name: "one call", blocks: [paris], finish: "tool_calls" },
  { name: "two parallel calls", blocks: [paris, rome], finish: "tool_calls" },
  {
    name: "interleaved calls",
    blocks: [paris, rome],
    interleaved: true,
    finish: "tool_calls",
    sources: ["openai", "openai-responses", "canonical"],
  },
  {
    name: "two calls in one event",
    blocks: [paris, rome],
    together: true,
    finish: "tool_calls",
    sources: ["openai", "mistral", "gemini", "vertexai", "ollama"],
  },
  { name: "a call without arguments", blocks: [call("call_a", "now")], finish: "tool_calls" },
  {
    name: "calls without ids",
    blocks: [call(undefined, "get_weather", '{"city":"Paris"}'), call(undefined, "get_weather", '{"city":"Rome"}')],
    finish: "tool_calls",
    sources: ["gemini", "vertexai", "ollama"],
  },
  { name: "text, then a call", blocks: [text("Let me ", "see."), paris], finish: "tool_calls" },
  {
    name: "a call, then text",
    blocks: [paris, text("I'll ", "see.")],
    finish: "tool_calls",
    sources: ["openai-responses", "anthropic", "gemini", "vertexai", "gemini-interactions", "ollama", "canonical"],
  },
  {
    name: "the end with the last piece",
    blocks: [text("Let me ", "see."), paris],
    endsWithLast: true,
    finish: "tool_calls",
    sources: ["openai", "mistral", "gemini", "vertexai", "ollama"],
  },
  {
    name: "arguments by their paths",
    blocks: [call("call_a", "plan", '{"city":"Pa', 'ris","days":3,', '"stops":[{"at":"Orly"}]}')],
    partialArgs: [
      [{ jsonPath: "$.city", stringValue: "Pa", willContinue: true }],
      [{ jsonPath: "$.city", stringValue: "ris" }],
      [
        { jsonPath: "$.days", numberValue: 3 },
        { jsonPath: "$.stops[0].at", stringValue: "Orly" },
      ],
    ],
    finish: "tool_calls",
    sources: ["vertexai"],
  },
  {
    name: "reasoning of OpenAI's servers",
    blocks: [reasoning("openai", "Hm, ", "so."), text("Yes.")],
    sources: ["openai", "openai-responses", "canonical"],
  },
  {
    name: "reasoning of Mistral's",
    blocks: [reasoning("mistral", "Hm, ", "so."), text("Yes.")],
    sources: ["mistral", "canonical"],
  },
  {
    name: "reasoning of Anthropic's",
    blocks: [reasoning("anthropic", "Hm, ", "so."), text("Yes.")],
    sources: ["anthropic", "canonical"],
  },
  {
    name: "reasoning of Google's",
    blocks: [reasoning("google", "Hm, ", "so."), text("Yes.")],
    sources: ["gemini", "vertexai", "gemini-interactions", "canonical"],
  },
  {
    name: "reasoning of Ollama's",
    blocks: [reasoning("ollama", "Hm, ", "so."), text("Yes.")],
    sources: ["ollama", "canonical"],
  },
  {
    name: "reasoning, then calls",
    blocks: [reasoning("anthropic", "Hm."), paris, rome],
    finish: "tool_calls",
    sources: ["anthropic", "canonical"],
  },
  {
    name: "a refusal in words",
    blocks: [refusal("I can", "not.")],
    finish: "refusal",
    sources: ["openai", "openai-responses", "canonical"],
  },
  { name: "a filtered answer", blocks: [text("As to")], finish: "content_filter", sources: FILTERING },
  { name: "a refused prompt", blocks: [], finish: "content_filter", isBlocked: true, sources: ["gemini", "vertexai"] },
  { name: "cut short by the limit", blocks: [text("Once upon")], finish: "length" },
  {
    name: "usage in detail",
    blocks: [text("Hi.")],
    usage: { input: 120, output: 50, cached: 100, reasoning: 30 },
    sources: IN_DETAIL,
  },
  {
    name: "unicode",
    blocks: [
      text("日本 ", "🎉é\u2028", '\u0000"\\\n'),
      call("call_a", "søk", '{"q":"Zür', "ich 🎉 \\ud83c", '\\udf89 \\u0000"}'),
    ],
    finish: "tool_calls",
  },
  {
    name: "an error",
    blocks: [text("Half ", "an")],
    error: { code: "overloaded", status: 529, message: "Too much is asked of us" },
  },
  { name: "an error at once", blocks: [], error: { code: "rate_limit", status: 429, message: "Not so fast" } },
  { name: "broken off", blocks: [text("Half ", "an")], isCut: true },
  { name: "broken off in a call", blocks: [text("See: "), paris], isCut: true },
  { name: "3000 pieces", blocks: [text(...LONG)] },
];

const common = { id: "answer_1", model: "m-1", finish: "stop", usage: { input: 12, output: 34 }, sources: ALL };

export const answers = scenarios.map((scenario) => ({ ...common, ...scenario }));
