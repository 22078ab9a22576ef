// Completes the pieces of requests in vectors to requests that a provider accepts.

const turn = {
  gemini: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  vertexai: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  "openai-responses": { input: "Hi" },
};
const otherTurn = { messages: [{ role: "user", content: "Hi" }] };
const choiceField = {
  canonical: "toolChoice",
  openai: "tool_choice",
  "openai-responses": "tool_choice",
  anthropic: "tool_choice",
  gemini: "toolConfig",
  vertexai: "toolConfig",
};

/** `{ kind, body }`, or undefined if it is not part of a request or response. */
export function wholeOf(kind, dialect, value) {
  if (value === undefined) return undefined;
  if (["request", "response", "error"].includes(kind)) return { kind, body: value };
  if (!Object.hasOwn(pieces, kind) || !Object.hasOwn(choiceField, dialect)) return undefined;
  return { kind: "request", body: { ...(turn[dialect] ?? otherTurn), ...pieces[kind](dialect, value) } };
}

const pieces = {
  tools: (_, tools) => ({ tools }),
  // a choice is not written without tools
  toolChoice: (dialect, choice) => ({ [choiceField[dialect]]: choice, tools: toolsFor(dialect, choice) }),
  toolConfig: (_, fields) => fields,
  messages: (dialect, messages) => (dialect === "canonical" ? { messages } : messages),
};

const parameters = { type: "object", properties: {} };
const functions = {
  canonical: (name) => ({ name, parameters }),
  openai: (name) => ({ type: "function", function: { name, parameters } }),
  "openai-responses": (name) => ({ type: "function", name, parameters, strict: false }),
  anthropic: (name) => ({ name, input_schema: parameters }),
};
const declarations = (names) => [{ functionDeclarations: names.map((name) => ({ name })) }];

/** A tool for each name that a choice can contain. */
function toolsFor(dialect, choice) {
  const names = [...new Set(["f", ...namesIn(choice)])];
  return Object.hasOwn(functions, dialect) ? names.map(functions[dialect]) : declarations(names);
}

function namesIn(value, key) {
  if (typeof value === "string") return ["name", "allowed", "allowedFunctionNames"].includes(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([inner, field]) => namesIn(field, inner));
}
