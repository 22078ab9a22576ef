// Generated bodies with the sizes and structures of real traffic, without randomness.

import { agentRequest, agentResponse } from "./agent.mjs";

const weatherTool = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Gets the current weather at a place. Use it whenever the user asks about present conditions.",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string", description: "City, and country if it is not obvious" },
        unit: { type: "string", enum: ["celsius", "fahrenheit"], description: "Unit of the temperature" },
      },
      required: ["city"],
    },
  },
};

const call = (id, name, args) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } });
const result = (id, value) => ({ role: "tool", tool_call_id: id, content: JSON.stringify(value) });
const request = (messages, more) => ({ model: "model-1", messages, tools: [weatherTool], ...more });

function smallRequest() {
  const forecast = { temperature: 21.5, conditions: "partly cloudy", wind: { speed: 14, direction: "NW" } };
  return request(
    [
      { role: "system", content: "You are a helpful assistant that answers questions about the weather. ".repeat(7) },
      { role: "user", content: "What is the weather like in Paris and in Rome today? Please compare the two for me." },
      {
        role: "assistant",
        content: "I will look at both cities.",
        tool_calls: [
          call("call_a1", "get_weather", { city: "Paris" }),
          call("call_a2", "get_weather", { city: "Rome" }),
        ],
      },
      result("call_a1", forecast),
      result("call_a2", { ...forecast, temperature: 27, conditions: "sunny" }),
      { role: "assistant", content: "Rome is warmer: 27 degrees and sunny, against 21.5 and some clouds in Paris." },
      { role: "user", content: "And which of the two would you recommend for a walk this afternoon? ".repeat(6) },
    ],
    { max_completion_tokens: 1024, tool_choice: "auto", stop: ["END"] },
  );
}

/** 1 MB of base64 in one part. */
function imageRequest() {
  const data = "iVBORw0KGgoAAAANSUhEUgAAB9AAAAXcCAYAAAB3".repeat(Math.ceil(1e6 / 40)).slice(0, 1e6);
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
  return request([{ role: "user", content: [{ type: "text", text: "What is in this image?" }, image] }]);
}

/** 61 kB of UTF-8, nearly all characters of three bytes: two-byte strings in a JavaScript engine. */
function unicodeRequest() {
  const sentence = "明日の東京の天気は晴れのち曇りで、最高気温は二十五度の見込みです。";
  const paragraphs = Array.from({ length: 20 }, (_, index) => sentence.repeat(29 + (index % 3)) + index);
  const messages = paragraphs.map((text, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content: text }));
  messages.splice(1, 0, {
    role: "assistant",
    content: "調べます。",
    tool_calls: [call("call_u1", "get_weather", { city: "東京" })],
  });
  messages.splice(2, 0, { role: "tool", tool_call_id: "call_u1", content: sentence });
  return request(messages);
}

/** One call with 200 kB of arguments: a file that an agent writes. */
function longArgumentsRequest() {
  const line = '  const value = table["key"] ?? compute(input, { retries: 3, name: "value" });\n';
  const args = { path: "src/generated.ts", content: line.repeat(2440) };
  return request([
    { role: "user", content: "Write the file." },
    { role: "assistant", content: null, tool_calls: [call("call_w1", "write_file", args)] },
    { role: "tool", tool_call_id: "call_w1", content: "written" },
  ]);
}

function smallResponse() {
  return {
    id: "msg_01AbCdEfGhIjKlMnOpQrStUv",
    type: "message",
    role: "assistant",
    model: "model-1",
    content: [
      {
        type: "text",
        text: "I will look at both cities, and then compare what the two services say about them. ".repeat(16),
      },
      { type: "tool_use", id: "toolu_01Aa", name: "get_weather", input: { city: "Paris", unit: "celsius", days: 3 } },
      { type: "tool_use", id: "toolu_01Bb", name: "get_weather", input: { city: "Rome", unit: "celsius", days: 3 } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 312, cache_creation_input_tokens: 0, cache_read_input_tokens: 128, output_tokens: 87 },
  };
}

/** `from → to` of a body; `make` creates a new copy. */
export const payloads = {
  small: { kind: "request", from: "openai", to: "anthropic", make: smallRequest },
  agent: { kind: "request", from: "openai", to: "anthropic", make: agentRequest },
  image: { kind: "request", from: "openai", to: "anthropic", make: imageRequest },
  unicode: { kind: "request", from: "openai", to: "anthropic", make: unicodeRequest, twoByte: true },
  longargs: { kind: "request", from: "openai", to: "anthropic", make: longArgumentsRequest },
  "response small": { kind: "response", from: "anthropic", to: "openai", make: smallResponse },
  "response agent": { kind: "response", from: "anthropic", to: "openai", make: agentResponse },
};

const agentOf = (length, toolCount) => ({
  kind: "request",
  from: "openai",
  to: "anthropic",
  make: () => agentRequest({ length, toolCount }),
});

/** The agent's conversation in several lengths. */
export const sizes = {
  "4 messages, 1 tool": agentOf(4, 1),
  "20 messages, 5 tools": agentOf(20, 5),
  "200 messages, 50 tools": agentOf(200, 50),
  "2,000 messages, 50 tools": agentOf(2000, 50),
};

/** About 1 MB each: one that is mostly copied, and one with many parts. */
export const largeBodies = { image: payloads.image, conversation: agentOf(1800, 50) };
