// The canonical response for what was read from the text of a model.

import type { ParsedToolText } from "toolwire/text";

export function responseOfRead({ text, reasoning, toolCalls, invalidToolCalls }: ParsedToolText): string {
  const message = {
    role: "assistant",
    content: [
      // the issuer that the package states for reasoning in text
      ...(reasoning ? [{ type: "reasoning", text: reasoning, issuer: "openai" }] : []),
      ...(text.trim() === "" ? [] : [{ type: "text", text }]),
    ],
    toolCalls,
    ...(invalidToolCalls.length > 0 && { invalidToolCalls }),
  };
  const finishReason = toolCalls.length + invalidToolCalls.length > 0 ? "tool_calls" : "stop";
  return JSON.stringify({ message, finishReason }, undefined, 2);
}
