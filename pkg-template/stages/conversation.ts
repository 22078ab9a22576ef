// Converts a conversation with tools to text, for requests that don't use a tools API.

import type { AssistantMessage, ContentBlock, InvalidToolCall, Message, ToolCall, ToolResult } from "toolwire";

type AnyCall = ToolCall | InvalidToolCall;

/** The notation that the model is instructed to use for its next step. */
export interface Notation {
  isParallel: boolean;
}

/**
 * Converts calls and results to text. Assistant messages have the form that the first stage requests. Arguments are
 * written with the results. Reasoning is omitted, because it belongs to the provider's native calls.
 */
export function asText(messages: readonly Message[], notation: Notation): Message[] {
  const written: Message[] = [];
  let calls: AnyCall[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.role === "tool") {
      const results = following(messages, index);
      written.push(resultsMessage(results, calls));
      index += results.length - 1;
    } else if (message.role === "assistant") {
      calls = callsOf(message);
      written.push(choiceMessage(message, calls, notation));
    } else {
      written.push(message);
    }
  }
  return written;
}

function following(messages: readonly Message[], from: number): ToolResult[] {
  const end = messages.findIndex(({ role }, index) => index > from && role !== "tool");
  return messages.slice(from, end < 0 ? undefined : end) as ToolResult[];
}

const callsOf = ({ toolCalls = [], invalidToolCalls = [] }: AssistantMessage): AnyCall[] => [
  ...toolCalls,
  ...invalidToolCalls,
];

export function textOf(content: string | readonly ContentBlock[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" || block.type === "refusal" ? block.text : "")).join("");
}

function choiceMessage({ content }: AssistantMessage, calls: readonly AnyCall[], { isParallel }: Notation): Message {
  const text = textOf(content);
  const used = calls.map(({ name }) => ({ name, purpose: "" }));
  const tools = isParallel ? { use_tools: used } : { use_tool: used[0]?.name ?? null };
  const isAnswer = calls.length === 0;
  const choice = { reasoning: isAnswer ? "" : text, answer: isAnswer ? text : null, ...tools };
  return { role: "assistant", content: JSON.stringify(choice) };
}

/** Results as JSON, so that their content can't end the section. Media follow the text. */
function resultsMessage(results: readonly ToolResult[], calls: readonly AnyCall[]): Message {
  const media: ContentBlock[] = [];
  const shown = results.map((result) => {
    const call = calls.find(({ id }) => id === result.toolCallId);
    const value = result.kind === "multimodal" ? withoutMedia(result.value, media) : result.value;
    const isError = result.kind === "error" || ("isError" in result && result.isError === true);
    return { tool: result.name, arguments: argumentsOf(call), [isError ? "error" : "result"]: value };
  });
  const text = `Results of the tools:\n${shown.map((result) => JSON.stringify(result)).join("\n")}`;
  return { role: "user", content: media.length > 0 ? [{ type: "text", text }, ...media] : text };
}

const argumentsOf = (call: AnyCall | undefined) =>
  call && ("arguments" in call ? call.arguments : (call.rawArguments as unknown));

function withoutMedia(blocks: readonly ContentBlock[], media: ContentBlock[]): unknown {
  const kept = blocks.map((block) => {
    if ("source" in block) media.push(block);
    if (block.type === "data") return JSON.stringify(block.value);
    return block.type === "text" ? block.text : "";
  });
  return kept.filter((text) => text !== "").join("\n");
}

/** Adds a text after the first system message. */
export function withSystemText(messages: readonly Message[], text: string): Message[] {
  const index = messages.findIndex(({ role }) => role === "system");
  const system = messages[index];
  if (system?.role !== "system") return [{ role: "system", content: text }, ...messages];
  const { content } = system;
  const joined = typeof content === "string" ? `${content}\n\n${text}` : [...content, { type: "text", text } as const];
  return messages.map((message, at) => (at === index ? { ...system, content: joined } : message));
}
