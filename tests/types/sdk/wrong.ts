// What must not compile. Most of it is what somebody would write who takes one provider's form for another's.

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
// @ts-expect-error: messages of another form
export const b: ChatCompletionCreateParams = toolwire.toAnthropic(request);
// @ts-expect-error: REST nests otherwise than the SDK, and has no model in the body
export const c: GenerateContentParameters = toolwire.toGemini(request);
// @ts-expect-error: so does Vertex AI's
export const d: GenerateContentParameters = toolwire.toVertexAI(request);
// @ts-expect-error: no messages
export const e: ChatCompletionCreateParams = toolwire.toGoogleGenAI(request);
// @ts-expect-error: tools of another form
export const f: ToolUnion[] = toolwire.toOpenAITools(tools);
// @ts-expect-error: tools of another form
export const g: ChatCompletionTool[] = toolwire.toAnthropicTools(tools);
// @ts-expect-error: tools of another form
export const h: Tool[] = toolwire.toOpenAITools(tools);
// @ts-expect-error: a choice of another form
export const i: ToolConfig = toolwire.toAnthropicToolChoice(toolChoice);
// @ts-expect-error: the fields, not the array
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
  // @ts-expect-error: an object or a word
  toolwire.toOpenAIToolChoice(toolChoice),
  // @ts-expect-error: an object
  toolwire.toGeminiToolChoice(toolChoice),
  // @ts-expect-error: an object
  toolwire.fromOpenAI({}),
];

// Inputs in a provider's words.
// @ts-expect-error: text is for convertResponse
toolwire.fromOpenAI("{}");
// @ts-expect-error: null is no response
toolwire.fromAnthropic(null);
// @ts-expect-error: OpenAI's tool form
toolwire.toOpenAITools([{ type: "function", function: { name: "f" } }]);
// @ts-expect-error: Anthropic's name of the schema
toolwire.toAnthropicTools([{ name: "f", input_schema: { type: "object" } }]);
// @ts-expect-error: Anthropic's choice
toolwire.toAnthropicToolChoice({ type: "any" });
// @ts-expect-error: OpenAI's tool message
toolwire.toOpenAIMessages([{ role: "tool", tool_call_id: "1", content: "" }]);
// @ts-expect-error: Gemini's role
toolwire.toGeminiMessages([{ role: "model", content: "" }]);
// @ts-expect-error: OpenAI's name of the limit
toolwire.toOpenAI({ messages: [], max_tokens: 1 });
// @ts-expect-error: a list, even of one
toolwire.toOpenAI({ messages: [], stop: "END" });
// @ts-expect-error: a result names its kind
toolwire.toGeminiMessages([{ role: "tool", toolCallId: "1", name: "f", value: 1 }]);
// @ts-expect-error: a native tool names its provider
toolwire.toGeminiTools([{ type: "native", value: { googleSearch: {} } }]);
// @ts-expect-error: no such provider
toolwire.toGeminiTools([{ type: "native", provider: "gemini", value: {} }]);
// @ts-expect-error: no such dialect
toolwire.convertRequest({}, { from: "openai", to: "google" });
// @ts-expect-error: a number is no body
toolwire.convertResponse(1, { from: "openai", to: "gemini" });
// @ts-expect-error: bytes come out as bytes
export const text: string = toolwire.convertRequest(new Uint8Array(), { from: "openai", to: "gemini" });
// @ts-expect-error: no such platform
toolwire.toAnthropic(request, { platform: "azure" });
// @ts-expect-error: a call without a result has three treatments
toolwire.toOpenAI(request, { missingResults: "ignore" });
// @ts-expect-error: a call has an id
toolwire.toolResult({ name: "f", arguments: {} }, 1);
// @ts-expect-error: a finish reason of OpenAI's old form is none of ours
toolwire.toOpenAIResponse({ ...response, finishReason: "function_call" });
