// Facts about the formats that tests state independently of the package.

/** The provider that issues the state in each format. */
export const issuers = {
  openai: "openai",
  mistral: "mistral",
  cohere: "cohere",
  "openai-responses": "openai",
  anthropic: "anthropic",
  bedrock: "bedrock",
  gemini: "google",
  vertexai: "google",
  "gemini-interactions": "google",
  ollama: "ollama",
};

/** Finish reasons, as each format names them; Vertex AI has those of Gemini. */
export const finishWords = {
  openai: {
    stop: "stop",
    length: "length",
    tool_calls: "tool_calls",
    content_filter: "content_filter",
    refusal: "stop",
  },
  mistral: { stop: "stop", length: "length", tool_calls: "tool_calls", content_filter: "stop", refusal: "stop" },
  "openai-responses": {
    stop: "completed",
    length: "max_output_tokens",
    tool_calls: "completed",
    content_filter: "content_filter",
    refusal: "completed",
  },
  anthropic: {
    stop: "end_turn",
    length: "max_tokens",
    tool_calls: "tool_use",
    content_filter: "refusal",
    refusal: "refusal",
  },
  bedrock: {
    stop: "end_turn",
    length: "max_tokens",
    tool_calls: "tool_use",
    content_filter: "content_filtered",
    refusal: "content_filtered",
  },
  cohere: {
    stop: "COMPLETE",
    length: "MAX_TOKENS",
    tool_calls: "TOOL_CALL",
    content_filter: "COMPLETE",
    refusal: "COMPLETE",
  },
  "gemini-interactions": {
    stop: "completed",
    length: "incomplete",
    tool_calls: "requires_action",
    content_filter: "completed",
    refusal: "completed",
  },
  gemini: { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP", content_filter: "SAFETY", refusal: "SAFETY" },
  ollama: { stop: "stop", length: "length", tool_calls: "stop", content_filter: "stop", refusal: "stop" },
};
