// Servers that report that they, or their model, have no tool calling.

import type { ChatError } from "toolwire";

/** Messages of Ollama, vLLM, llama.cpp and OpenRouter, and the words that others use. */
const messages = [
  /\bdoes not support (tools|tool use|tool calling|function calling)\b/i,
  /tool choice requires --enable-auto-tool-choice/i,
  /\btools param requires --jinja\b/i,
  /no endpoints found that support tool use/i,
  /\b(tools|tool use|tool calling|function calling) (is|are) not supported\b/i,
];

/** Whether a request failed only because it has tools. */
export function lacksTools({ message }: Pick<ChatError, "message">): boolean {
  return messages.some((pattern) => pattern.test(message));
}
