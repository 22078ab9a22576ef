// The client `ollama` accepts the output of this package, and this package the client's responses. No casts.

import type { ChatRequest, ChatResponse, ErrorResponse, Message, Ollama, Tool, ToolCall } from "ollama";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces.
export const body: ChatRequest = toolwire.toOllama(request);
export const theirTools: Tool[] = toolwire.toOllamaTools(tools);
export const noChoice: null = toolwire.toOllamaToolChoice(toolChoice);
export const theirMessages: Message[] = toolwire.toOllamaMessages(messages).messages;
export const config: Pick<ChatRequest, "tools"> = toolwire.toOllamaToolConfig({ tools, toolChoice });
export const assembled: ChatRequest = {
  model: "m",
  ...toolwire.toOllamaMessages(messages),
  ...toolwire.toOllamaToolConfig({ tools, toolChoice }),
};

// Responses, as a gateway writes them.
export const converted: ChatResponse = toolwire.toOllamaResponse(response);
export const convertedMessage: Message = toolwire.toOllamaResponse(response).message;

// The client's responses.
export async function turn(client: Ollama): Promise<Message[]> {
  const theirs: ChatResponse = await client.chat({ ...toolwire.toOllama(request), stream: false });
  const converted = toolwire.fromOllama(theirs);
  const next = [converted.message, ...converted.toolCalls.map((call) => toolwire.toolResult(call, 1))];
  return toolwire.toOllamaMessages(next).messages;
}
export const calls = (message: Message) => toolwire.fromOllamaToolCalls(message).toolCalls;
export const canonical = (theirs: ChatRequest) => toolwire.fromOllamaRequest(theirs);
export const error = (theirs: ErrorResponse) => toolwire.convertError(theirs, { from: "ollama", to: "openai" });

// The types by name: the client accepts an assistant message in the next request.
export const accepted = (message: toolwire.OllamaAssistantMessage): Message => message;
export const called = (call: toolwire.OllamaToolCall): ToolCall => call;
