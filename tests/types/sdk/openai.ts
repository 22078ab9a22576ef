// The SDK `openai` accepts the output of this package, and this package the SDK's responses. No casts.

import type OpenAI from "openai";
import type {
  ChatCompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from "openai/resources/chat/completions";
import type { FunctionParameters } from "openai/resources/shared";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces.
export const body: ChatCompletionCreateParams = toolwire.toOpenAI(request);
export const once: ChatCompletionCreateParamsNonStreaming = { ...toolwire.toOpenAI(request), stream: false };
export const streamed: ChatCompletionCreateParamsStreaming = { ...toolwire.toOpenAI(request), stream: true };
export const theirTools: ChatCompletionTool[] = toolwire.toOpenAITools(tools);
export const theirChoice: ChatCompletionToolChoiceOption = toolwire.toOpenAIToolChoice(toolChoice);
export const theirMessages: ChatCompletionMessageParam[] = toolwire.toOpenAIMessages(messages).messages;
export const config: Pick<ChatCompletionCreateParams, "tools" | "tool_choice" | "parallel_tool_calls"> =
  toolwire.toOpenAIToolConfig({ tools, toolChoice, parallelToolCalls: false });
export const assembled: ChatCompletionCreateParamsNonStreaming = {
  model: "m",
  ...toolwire.toOpenAIMessages(messages),
  ...toolwire.toOpenAIToolConfig({ tools, toolChoice }),
};
export const ofAnyDialect: ChatCompletionCreateParams = toolwire.convertRequest(body, { from: "openai", to: "openai" });
export const schema: FunctionParameters = toolwire.toOpenAISchema({ type: "object" }, { strict: true });

// Responses, as a gateway writes them.
export const completion: ChatCompletion = toolwire.toOpenAIResponse(response);
export const convertedMessage: (ChatCompletionMessage | undefined)[] = toolwire
  .toOpenAIResponse(response)
  .choices.map((choice) => choice.message);

// The SDK's responses.
export async function turn(client: OpenAI): Promise<ChatCompletionMessageParam[]> {
  const theirs: ChatCompletion = await client.chat.completions.create({ ...toolwire.toOpenAI(request), stream: false });
  const converted = toolwire.fromOpenAI(theirs);
  const next = [converted.message, ...converted.toolCalls.map((call) => toolwire.toolResult(call, 1))];
  return toolwire.toOpenAIMessages(next).messages;
}
export const calls = (message: ChatCompletionMessage) => toolwire.fromOpenAIToolCalls(message).toolCalls;
export const canonical = (params: ChatCompletionCreateParams) => toolwire.fromOpenAIRequest(params);

// The SDK's streams, of both kinds.
export async function text(client: OpenAI): Promise<string[]> {
  const chunks = await client.chat.completions.create(streamed);
  const accumulated = client.chat.completions.stream(streamed);
  const texts: string[] = [];
  for (const stream of [chunks, accumulated]) {
    for await (const event of toolwire.streamEvents(stream, { from: "openai" })) {
      if (event.type === "textDelta") texts.push(event.text);
    }
  }
  return texts;
}
export const pushed = (chunk: ChatCompletionChunk) => toolwire.readStream({ from: "openai" }).push(chunk);

// The types by name: the SDK accepts an assistant message in the next request.
export const accepted = (message: toolwire.OpenAIAssistantMessage): ChatCompletionAssistantMessageParam => message;
export const called = (call: toolwire.OpenAIToolCall): ChatCompletionMessageToolCall => call;
