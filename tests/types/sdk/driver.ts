// A driver with message and tool types of its own, in the manner of modular-prompt: this package accepts them as inputs, and its outputs
// are assignable to them, without a cast.

import * as toolwire from "../../../pkg/dist/index.js";

interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}
interface ToolDefinition {
  name: string;
  description?: string;
  parameters?: object;
  strict?: boolean;
}
type ToolChoice = "auto" | "none" | "required" | { name: string };
interface TextMessage {
  role: "system" | "user" | "assistant";
  content: string;
}
interface CallsMessage {
  role: "assistant";
  content: string;
  toolCalls: ToolCall[];
}
interface ResultMessage {
  role: "tool";
  toolCallId: string;
  name: string;
  kind: "text" | "data" | "error";
  value: unknown;
}
type ChatMessage = TextMessage | CallsMessage | ResultMessage;
interface Query {
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
  temperature?: number;
  maxTokens?: number;
  topP?: number;
  topK?: number;
  stream?: boolean;
}

declare const query: Query;
declare const messages: ChatMessage[];
declare const tools: ToolDefinition[];
declare const toolChoice: ToolChoice;
declare const call: ToolCall;

// Inputs.
export const request: toolwire.ChatRequestInput = query;
export const bodies = [
  toolwire.toOpenAI({ model: "m", ...query }),
  toolwire.toAnthropic({ model: "m", ...query }),
  toolwire.toGemini({ model: "m", ...query }),
  toolwire.toVertexAI({ model: "m", ...query }),
  toolwire.toGoogleGenAI({ model: "m", ...query }),
];
export const pieces = [
  toolwire.toOpenAIMessages(messages),
  toolwire.toOpenAITools(tools),
  toolwire.toOpenAIToolChoice(toolChoice),
  toolwire.toAnthropicMessages(messages),
  toolwire.toAnthropicTools(tools),
  toolwire.toAnthropicToolChoice(toolChoice),
  toolwire.toGeminiMessages(messages),
  toolwire.toGeminiTools(tools),
  toolwire.toGeminiToolChoice(toolChoice),
  toolwire.toVertexAIToolConfig({ tools, toolChoice }),
];
export const result: toolwire.ToolMessage = toolwire.toolResult(call, { any: "value" });

// Outputs.
export const calls = (response: object): ToolCall[] => toolwire.fromOpenAI(response).toolCalls;
export const definition = (tool: toolwire.ToolDefinition): ToolDefinition => tool;
export function remember(converted: toolwire.ChatResponse): ChatMessage[] {
  const callsMessage: CallsMessage = { role: "assistant", content: converted.text, toolCalls: converted.toolCalls };
  return [callsMessage, ...converted.toolCalls.map(asResult)];
}
function asResult(made: ToolCall): ResultMessage {
  return { role: "tool", toolCallId: made.id, name: made.name, kind: "data", value: 1 };
}

// A compiler that accepts everything would accept these, too.
declare const attachment: { type: "image_url"; image_url: { url: string } };
declare const otherKind: Omit<ResultMessage, "kind"> & { kind: "json" };
declare const textCall: Omit<ToolCall, "arguments"> & { arguments: string };
// @ts-expect-error: an image in OpenAI's format is not a content block
toolwire.toOpenAIMessages([{ role: "user", content: [attachment] }]);
// @ts-expect-error: there is no such kind
toolwire.toGeminiMessages([otherKind]);
// @ts-expect-error: arguments are an object, not text
toolwire.toAnthropicMessages([{ role: "assistant", content: "", toolCalls: [textCall] }]);
// @ts-expect-error: arguments are an object, not text
toolwire.toolResult(textCall, 1);
// @ts-expect-error: a choice is a word or an object
toolwire.toOpenAIToolChoice("any");
