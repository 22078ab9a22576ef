// The program of a pair's page: a request with a tool, and the response with a call, there and back.

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const request = {
  messages: [
    { role: "system", content: "Answer in one sentence." },
    { role: "user", content: "What's the weather in Paris?" },
  ],
  tools: [{ name: "get_weather", description: "Returns the weather of a city.", parameters: city }],
  maxTokens: 300,
};
const call = { id: "call_1", name: "get_weather", arguments: { city: "Paris" } };
const response = { message: { role: "assistant", content: "", toolCalls: [call] }, finishReason: "tool_calls" };

/** A current model of each provider. */
export const models = {
  openai: "gpt-5.4-mini",
  mistral: "mistral-large-latest",
  cohere: "command-a-03-2025",
  "openai-responses": "gpt-6-luna",
  anthropic: "claude-sonnet-5-5",
  bedrock: "us.amazon.nova-pro-v1:0",
  gemini: "gemini-3.5-flash",
  vertexai: "gemini-3.5-flash",
  "gemini-interactions": "gemini-3.5-flash",
  ollama: "qwen3.5",
};

export function programOf({ from, to }, { convertRequest, convertResponse }) {
  const model = models[to.name];
  const asked = convertRequest({ ...request, model }, { from: "canonical", to: from.name });
  const received = withoutNull(convertResponse({ ...response, model }, { from: "canonical", to: to.name }));
  return `import { contextOf, convertRequest, convertResponse } from "toolwire";

const there = { from: "${from.name}", to: "${to.name}" } as const;
const back = { from: "${to.name}", to: "${from.name}" } as const;
const onWarning = ({ code, path, message }: { code: string; path: string; message: string }) =>
  console.log(\`\${code} \${path}: \${message}\`);

const request = ${literal(asked)};
console.log(JSON.stringify(convertRequest(request, { ...there, onWarning }), null, 2));

const received = ${literal(received)};
const context = contextOf(request, there);
console.log(JSON.stringify(convertResponse(received, { ...back, context, onWarning }), null, 2));
`;
}

/** A body without the fields that are null, which only strict clients need. */
function withoutNull(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withoutNull);
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNull(item)]));
}

/** A value as a literal of JavaScript, with at most 100 characters in a line where its parts allow it. */
function literal(value, indent = "") {
  const flat = inOneLine(value);
  if (indent.length + flat.length <= 100 || value === null || typeof value !== "object") return flat;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${literal(item, inner)},\n`)
    : Object.entries(value).map(([key, item]) => `${inner}${keyOf(key)}: ${literal(item, inner)},\n`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join("")}${indent}${close}`;
}

const keyOf = (key) => (/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key));

function inOneLine(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${inOneLine(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
