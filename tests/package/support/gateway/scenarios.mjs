// Conversations through the gateway as data: the provider's responses, and the results of the client's tools. `answers` have the form of
// `../stream-scenarios.mjs`: each has its blocks and its finish reason.

const text = (...pieces) => ({ type: "text", pieces });
const refusal = (...pieces) => ({ type: "refusal", pieces });
const call = (id, name, ...pieces) => ({ type: "call", id, name, pieces });
const reasoning = (...pieces) => ({ type: "reasoning", pieces, signature: SIGNATURE });

export const SIGNATURE = "c2lnbmF0dXJl";
/** One pixel. */
export const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const spoken = {
  system: "You are brief.",
  question: "The weather in Paris and Rome?",
  tool: {
    name: "get_weather",
    description: "The weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
  keyOfClient: "the-clients-key",
  keyOfGateway: "the-gateways-key",
};

const paris = call("call_a", "get_weather", '{"ci', 'ty":"Pa', 'ris"}');
const rome = call("call_b", "get_weather", '{"city"', ':"Rome"}');
const asksForParis = { blocks: [text("Let me ", "see."), paris], finish: "tool_calls" };
const ends = (...pieces) => ({ blocks: [text(...pieces)] });

const scenarios = [
  { name: "text", answers: [ends("Hel", "lo.")] },
  { name: "one call", answers: [asksForParis, ends("It is ", "sunny.")], results: [{ text: "sunny" }] },
  {
    name: "two parallel calls",
    answers: [{ blocks: [paris, rome], finish: "tool_calls" }, ends("Sunny ", "and wet.")],
    results: [{ text: "sunny" }, { text: "rain" }],
  },
  {
    name: "a call after the results",
    answers: [asksForParis, { blocks: [rome], finish: "tool_calls" }, ends("Sunny ", "and wet.")],
    results: [{ text: "sunny" }, { text: "rain" }],
  },
  { name: "an error result", answers: [asksForParis, ends("No idea.")], results: [{ error: "no such city" }] },
  {
    name: "an image in a result",
    answers: [asksForParis, ends("It is ", "green.")],
    results: [{ text: "the map", image: IMAGE }],
    no: {
      clients: {
        "ai, OpenAI Chat": "sends the JSON of the parts as text (@ai-sdk/openai 4.0.118)",
        "ai, Cohere": "sends the JSON of the parts as text (@ai-sdk/cohere 4.0.52)",
        "ai, Mistral": "sends the JSON of the parts as text (@ai-sdk/mistral 4.0.87)",
        "ai, Groq": "sends the JSON of the parts as text (@ai-sdk/groq 4.0.84)",
      },
      pairs: { "ai, DeepSeek → openai": "sends images in results, which OpenAI's types do not have" },
    },
  },
  { name: "reasoning", answers: [{ blocks: [reasoning("Hm, ", "so."), text("Yes.")] }] },
  {
    name: "reasoning, then a call",
    answers: [{ blocks: [reasoning("Hm, ", "so."), paris], finish: "tool_calls" }, ends("It is ", "sunny.")],
    results: [{ text: "sunny" }],
  },
  {
    name: "a refusal",
    answers: [{ blocks: [refusal("I can", "not.")], finish: "refusal" }],
    // providers without a block for refusals have a finish reason for them
    instead: [{ blocks: [text("I can", "not.")], finish: "content_filter" }],
    no: {
      clients: { "ai, Open Responses": "throws if there is nothing but a refusal (@ai-sdk/open-responses 2.0.36)" },
      upstreams: {
        ollama: "has no reason that says so (WIRE §8.6)",
        cohere: "has no reason that says so (WIRE §7.6)",
        "gemini-interactions": "has no status that says so (WIRE §15.7)",
      },
      pairs: { "ai, xAI → openai": "rejects the events of a refusal (@ai-sdk/xai 5.0.12)" },
    },
  },
  { name: "cut short by the limit", answers: [{ ...ends("Once upon"), finish: "length" }] },
  {
    name: "too many requests",
    answers: [],
    error: { status: 429, retryAfter: "7", message: "Not so fast" },
    no: {
      clients: {
        "ai, Open Responses":
          "reads only errors whose `param` and `code` are strings, which are null at OpenAI (@ai-sdk/open-responses 2.0.36)",
      },
    },
  },
];

const REFUSES_IN_WORDS = ["openai", "openai-responses"];
/** Providers without call ids: older models of Google. */
const HAS_NO_IDS = ["vertexai"];
/** Gemini 3 and later sign the first call of a step, and require the signature in later requests (WIRE §4.3). */
const SIGNS_CALLS = ["gemini"];
const common = { id: "answer_1", finish: "stop", usage: { input: 12, output: 34 } };

/** A scenario as one provider supports it. */
export function playedBy(upstream, { answers, instead = answers, ...scenario }) {
  const withoutId = ({ id: _, ...call }) => call;
  const callOf = (one, isFirst) => ({
    ...(HAS_NO_IDS.includes(upstream) ? withoutId(one) : one),
    ...(isFirst && SIGNS_CALLS.includes(upstream) && { signature: SIGNATURE }),
  });
  const played = (REFUSES_IN_WORDS.includes(upstream) ? answers : instead).map(({ blocks, ...answer }) => {
    const first = blocks.find(({ type }) => type === "call");
    return {
      ...common,
      ...answer,
      blocks: blocks.map((one) => (one.type === "call" ? callOf(one, one === first) : one)),
    };
  });
  return { ...scenario, answers: played };
}

export { scenarios };
