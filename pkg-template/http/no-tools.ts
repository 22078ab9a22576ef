// Detects servers or models without tool calling by their error messages.

import type { ChatError } from "toolwire";

/** Messages of Ollama, vLLM, llama.cpp and OpenRouter, and common phrases of other servers. */
const messages = [
  /\bdoes not support (tools|tool use|tool calling|function calling)\b/i,
  /tool choice requires --enable-auto-tool-choice/i,
  /\btools param requires --jinja\b/i,
  /no endpoints found that support tool use/i,
  /\b(tools|tool use|tool calling|function calling) (is|are) not supported\b/i,
];

/** Whether a request failed only because it contains tools. */
export function lacksTools({ message }: Pick<ChatError, "message">): boolean {
  return messages.some((pattern) => pattern.test(message));
}
