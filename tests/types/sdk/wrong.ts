// Code that must not compile, mostly one provider's format in place of another's.

import type { MessageCreateParams, MessageParam, ToolUnion } from "@anthropic-ai/sdk/resources/messages";
import type { GenerateContentParameters, GenerateContentResponse, Tool, ToolConfig } from "@google/genai";
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

// A body of one provider for the SDK of another.
// @ts-expect-error: max_tokens is missing
export const a: MessageCreateParams = toolwire.toOpenAI(request);
// @ts-expect-error: messages of another format
export const b: ChatCompletionCreateParams = toolwire.toAnthropic(request);
// @ts-expect-error: the SDK's structure differs from that of REST, which has no model in the body
export const c: GenerateContentParameters = toolwire.toGemini(request);
// @ts-expect-error: likewise for Vertex AI
export const d: GenerateContentParameters = toolwire.toVertexAI(request);
// @ts-expect-error: no messages
export const e: ChatCompletionCreateParams = toolwire.toGoogleGenAI(request);
// @ts-expect-error: tools of another format
export const f: ToolUnion[] = toolwire.toOpenAITools(tools);
// @ts-expect-error: tools of another format
export const g: ChatCompletionTool[] = toolwire.toAnthropicTools(tools);
// @ts-expect-error: tools of another format
export const h: Tool[] = toolwire.toOpenAITools(tools);
// @ts-expect-error: a choice of another format
export const i: ToolConfig = toolwire.toAnthropicToolChoice(toolChoice);
// @ts-expect-error: an object of fields, not an array
export const j: ChatCompletionMessageParam[] = toolwire.toOpenAIMessages(messages);
// @ts-expect-error: OpenAI's roles are not Anthropic's
export const k: MessageParam[] = toolwire.toOpenAIMessages(messages).messages;
// @ts-expect-error: the SDK's response is a class with getters
export const l: GenerateContentResponse = toolwire.toGeminiResponse(response);
// @ts-expect-error: model and max_tokens are missing
export const m: MessageCreateParams = toolwire.toAnthropicMessages(messages);

// No output is `any`.
export const numbers: number[] = [
  // @ts-expect-error: an object
  toolwire.toOpenAI(request),
  // @ts-expect-error: an object
  toolwire.toAnthropic(request),
  // @ts-expect-error: an object
  toolwire.toGemini(request),
  // @ts-expect-error: an object
  toolwire.toVertexAI(request),
  // @ts-expect-error: an object
  toolwire.toGoogleGenAI(request),
  // @ts-expect-error: an object or a string
  toolwire.toOpenAIToolChoice(toolChoice),
  // @ts-expect-error: an object
  toolwire.toGeminiToolChoice(toolChoice),
  // @ts-expect-error: an object
  toolwire.fromOpenAI({}),
];

// Inputs in a provider's words.
// @ts-expect-error: text is for convertResponse
toolwire.fromOpenAI("{}");
// @ts-expect-error: null is not a response
toolwire.fromAnthropic(null);
// @ts-expect-error: OpenAI's format of a tool
toolwire.toOpenAITools([{ type: "function", function: { name: "f" } }]);
// @ts-expect-error: Anthropic's name for the schema
toolwire.toAnthropicTools([{ name: "f", input_schema: { type: "object" } }]);
// @ts-expect-error: Anthropic's choice
toolwire.toAnthropicToolChoice({ type: "any" });
// @ts-expect-error: OpenAI's tool message
toolwire.toOpenAIMessages([{ role: "tool", tool_call_id: "1", content: "" }]);
// @ts-expect-error: Gemini's role
toolwire.toGeminiMessages([{ role: "model", content: "" }]);
// @ts-expect-error: OpenAI's name for the limit
toolwire.toOpenAI({ messages: [], max_tokens: 1 });
// @ts-expect-error: must be a list
toolwire.toOpenAI({ messages: [], stop: "END" });
// @ts-expect-error: the kind of the result is missing
toolwire.toGeminiMessages([{ role: "tool", toolCallId: "1", name: "f", value: 1 }]);
// @ts-expect-error: the provider of the native tool is missing
toolwire.toGeminiTools([{ type: "native", value: { googleSearch: {} } }]);
// @ts-expect-error: no such provider
toolwire.toGeminiTools([{ type: "native", provider: "gemini", value: {} }]);
// @ts-expect-error: no such dialect
toolwire.convertRequest({}, { from: "openai", to: "google" });
// @ts-expect-error: a number is not a body
toolwire.convertResponse(1, { from: "openai", to: "gemini" });
// @ts-expect-error: bytes are converted to bytes
export const text: string = toolwire.convertRequest(new Uint8Array(), { from: "openai", to: "gemini" });
// @ts-expect-error: no such platform
toolwire.toAnthropic(request, { platform: "azure" });
// @ts-expect-error: not one of the values of missingResults
toolwire.toOpenAI(request, { missingResults: "ignore" });
// @ts-expect-error: the call has no id
toolwire.toolResult({ name: "f", arguments: {} }, 1);
// @ts-expect-error: a finish reason of OpenAI, not of this package
toolwire.toOpenAIResponse({ ...response, finishReason: "function_call" });
