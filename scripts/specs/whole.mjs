// Pieces of a request, as vectors hold them, completed to a request that a provider would take.

const turn = {
  gemini: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  vertexai: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
};
const otherTurn = { messages: [{ role: "user", content: "Hi" }] };
const choiceField = {
  canonical: "toolChoice",
  openai: "tool_choice",
  anthropic: "tool_choice",
  gemini: "toolConfig",
  vertexai: "toolConfig",
};

/** `{ kind, body }`, or undefined for what is no part of a request or response. */
export function wholeOf(kind, dialect, value) {
  if (value === undefined) return undefined;
  if (["request", "response", "error"].includes(kind)) return { kind, body: value };
  if (!Object.hasOwn(pieces, kind) || !Object.hasOwn(choiceField, dialect)) return undefined;
  return { kind: "request", body: { ...(turn[dialect] ?? otherTurn), ...pieces[kind](dialect, value) } };
}

const pieces = {
  tools: (_, tools) => ({ tools }),
  toolChoice: (dialect, choice) => ({ [choiceField[dialect]]: choice }),
  toolConfig: (_, fields) => fields,
  messages: (dialect, messages) => (dialect === "canonical" ? { messages } : messages),
};
