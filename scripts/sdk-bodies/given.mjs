// What a body has unless it states the field itself, by format: a question, where the types do not require one, and a tool, without which a choice has
// no meaning.

const parameters = { type: "object", properties: { city: { type: "string" } } };
const named = { name: "weather", description: "The weather" };
const chat = { type: "function", function: { ...named, parameters } };

const rows = {
  openai: ({ functions, function_call, tool_choice }) => {
    if (functions) return {};
    if (function_call) return { functions: [{ ...named, parameters }] };
    return { tools: [isCustom(tool_choice) ? { type: "custom", custom: named } : chat] };
  },
  "openai-responses": ({ tool_choice }) => {
    const tool = isCustom(tool_choice) ? { type: "custom" } : { type: "function", parameters, strict: false };
    return { input: "?", tools: [{ ...tool, ...named }] };
  },
  anthropic: () => ({ tools: [{ ...named, input_schema: parameters }] }),
  bedrock: () => ({ messages: [{ role: "user", content: [{ text: "?" }] }] }),
  gemini: () => ({ tools: [{ functionDeclarations: [{ ...named, parametersJsonSchema: parameters }] }] }),
  "gemini-interactions": () => ({ input: "?", tools: [{ type: "function", ...named, parameters }] }),
  mistral: () => ({ tools: [chat] }),
  ollama: () => ({ messages: [{ role: "user", content: "?" }] }),
  cohere: () => ({ tools: [chat] }),
};

export function completed(format, body) {
  return { ...rows[format](body), ...body };
}

function isCustom(choice) {
  return choice?.type === "custom";
}
