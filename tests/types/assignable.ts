// Every type of the package is assignable to the promised one and vice versa; its functions can be called as promised.

import * as toolwire from "../../pkg/dist/index.js";
import type * as contract from "./contract.js";

type Same<Ours, Promised> = [Ours] extends [Promised] ? ([Promised] extends [Ours] ? true : "too narrow") : "too wide";

interface Types {
  AssistantMessage: Same<toolwire.AssistantMessage, contract.AssistantMessage>;
  ChatError: Same<toolwire.ChatError, contract.ChatError>;
  ChatRequest: Same<toolwire.ChatRequest, contract.ChatRequest>;
  ChatRequestInput: Same<toolwire.ChatRequestInput, contract.ChatRequestInput>;
  ChatResponse: Same<toolwire.ChatResponse, contract.ChatResponse>;
  ContentBlock: Same<toolwire.ContentBlock, contract.ContentBlock>;
  Context: Same<toolwire.Context, contract.ConversionContext>;
  ConversionContext: Same<toolwire.ConversionContext, contract.ConversionContext>;
  Conversion: Same<toolwire.Conversion, contract.Conversion>;
  Dialect: Same<toolwire.Dialect, contract.Dialect>;
  FinishReason: Same<toolwire.FinishReason, contract.FinishReason>;
  InvalidToolCall: Same<toolwire.InvalidToolCall, contract.InvalidToolCall>;
  JsonSchema: Same<toolwire.JsonSchema, contract.JsonSchema>;
  MediaSource: Same<toolwire.MediaSource, contract.MediaSource>;
  Message: Same<toolwire.Message, contract.Message>;
  MessageInput: Same<toolwire.MessageInput, contract.MessageInput>;
  Metadata: Same<toolwire.Metadata, contract.Metadata>;
  NativeTool: Same<toolwire.NativeTool, contract.NativeTool>;
  Options: Same<toolwire.Options, contract.Options>;
  Provider: Same<toolwire.Provider, contract.Provider>;
  StreamEvent: Same<toolwire.StreamEvent, contract.StreamEvent>;
  SystemMessage: Same<toolwire.SystemMessage, contract.SystemMessage>;
  ToolCall: Same<toolwire.ToolCall, contract.ToolCall>;
  ToolChoice: Same<toolwire.ToolChoice, contract.ToolChoice>;
  ToolDefinition: Same<toolwire.ToolDefinition, contract.ToolDefinition>;
  ToolMessage: Same<toolwire.ToolMessage, contract.ToolMessage>;
  ToolResult: Same<toolwire.ToolResult, contract.ToolResult>;
  ToolResultInput: Same<toolwire.ToolResultInput, contract.ToolResultInput>;
  ToolwireError: Same<toolwire.ToolwireError, contract.ToolwireError>;
  Usage: Same<toolwire.Usage, contract.Usage>;
  UserMessage: Same<toolwire.UserMessage, contract.UserMessage>;
  Warning: Same<toolwire.Warning, contract.Warning>;
  ChatRequestOfInput: Same<toolwire.ChatRequest<toolwire.MessageInput>, contract.ChatRequest<contract.MessageInput>>;
}
type Different = { [Name in keyof Types as Types[Name] extends true ? never : Name]: Types[Name] };
/** Does not compile if types differ; the error shows their names. */
export const different: Different & Record<string, never> = {};

export const openAI: contract.Driver = {
  to: toolwire.toOpenAI,
  from: toolwire.fromOpenAI,
  toTools: toolwire.toOpenAITools,
  toToolChoice: toolwire.toOpenAIToolChoice,
  toSchema: toolwire.toOpenAISchema,
  toToolConfig: toolwire.toOpenAIToolConfig,
  toMessages: toolwire.toOpenAIMessages,
  fromToolCalls: toolwire.fromOpenAIToolCalls,
  fromRequest: toolwire.fromOpenAIRequest,
  toResponse: toolwire.toOpenAIResponse,
};
export const anthropic: contract.Driver = {
  to: toolwire.toAnthropic,
  from: toolwire.fromAnthropic,
  toTools: toolwire.toAnthropicTools,
  toToolChoice: toolwire.toAnthropicToolChoice,
  toSchema: toolwire.toAnthropicSchema,
  toToolConfig: toolwire.toAnthropicToolConfig,
  toMessages: toolwire.toAnthropicMessages,
  fromToolCalls: toolwire.fromAnthropicToolCalls,
  fromRequest: toolwire.fromAnthropicRequest,
  toResponse: toolwire.toAnthropicResponse,
};
export const bedrock: contract.Driver = {
  to: toolwire.toBedrock,
  from: toolwire.fromBedrock,
  toTools: toolwire.toBedrockTools,
  toToolChoice: toolwire.toBedrockToolChoice,
  toSchema: toolwire.toBedrockSchema,
  toToolConfig: toolwire.toBedrockToolConfig,
  toMessages: toolwire.toBedrockMessages,
  fromToolCalls: toolwire.fromBedrockToolCalls,
  fromRequest: toolwire.fromBedrockRequest,
  toResponse: toolwire.toBedrockResponse,
};
export const gemini: contract.Driver = {
  to: toolwire.toGemini,
  from: toolwire.fromGemini,
  toTools: toolwire.toGeminiTools,
  toToolChoice: toolwire.toGeminiToolChoice,
  toSchema: toolwire.toGeminiSchema,
  toToolConfig: toolwire.toGeminiToolConfig,
  toMessages: toolwire.toGeminiMessages,
  fromToolCalls: toolwire.fromGeminiToolCalls,
  fromRequest: toolwire.fromGeminiRequest,
  toResponse: toolwire.toGeminiResponse,
};
export const vertexAI: contract.Driver = {
  to: toolwire.toVertexAI,
  from: toolwire.fromVertexAI,
  toTools: toolwire.toVertexAITools,
  toToolChoice: toolwire.toVertexAIToolChoice,
  toSchema: toolwire.toVertexAISchema,
  toToolConfig: toolwire.toVertexAIToolConfig,
  toMessages: toolwire.toVertexAIMessages,
  fromToolCalls: toolwire.fromVertexAIToolCalls,
  fromRequest: toolwire.fromVertexAIRequest,
  toResponse: toolwire.toVertexAIResponse,
};
export const openAIResponses: contract.Driver = {
  to: toolwire.toOpenAIResponses,
  from: toolwire.fromOpenAIResponses,
  toTools: toolwire.toOpenAIResponsesTools,
  toToolChoice: toolwire.toOpenAIResponsesToolChoice,
  toSchema: toolwire.toOpenAIResponsesSchema,
  toToolConfig: toolwire.toOpenAIResponsesToolConfig,
  toMessages: toolwire.toOpenAIResponsesMessages,
  fromToolCalls: toolwire.fromOpenAIResponsesToolCalls,
  fromRequest: toolwire.fromOpenAIResponsesRequest,
  toResponse: toolwire.toOpenAIResponsesResponse,
};
export const mistral: contract.Driver = {
  to: toolwire.toMistral,
  from: toolwire.fromMistral,
  toTools: toolwire.toMistralTools,
  toToolChoice: toolwire.toMistralToolChoice,
  toSchema: toolwire.toMistralSchema,
  toToolConfig: toolwire.toMistralToolConfig,
  toMessages: toolwire.toMistralMessages,
  fromToolCalls: toolwire.fromMistralToolCalls,
  fromRequest: toolwire.fromMistralRequest,
  toResponse: toolwire.toMistralResponse,
};
export const cohere: contract.Driver = {
  to: toolwire.toCohere,
  from: toolwire.fromCohere,
  toTools: toolwire.toCohereTools,
  toToolChoice: toolwire.toCohereToolChoice,
  toSchema: toolwire.toCohereSchema,
  toToolConfig: toolwire.toCohereToolConfig,
  toMessages: toolwire.toCohereMessages,
  fromToolCalls: toolwire.fromCohereToolCalls,
  fromRequest: toolwire.fromCohereRequest,
  toResponse: toolwire.toCohereResponse,
};
export const geminiInteractions: contract.Driver = {
  to: toolwire.toGeminiInteractions,
  from: toolwire.fromGeminiInteractions,
  toTools: toolwire.toGeminiInteractionsTools,
  toToolChoice: toolwire.toGeminiInteractionsToolChoice,
  toSchema: toolwire.toGeminiInteractionsSchema,
  toToolConfig: toolwire.toGeminiInteractionsToolConfig,
  toMessages: toolwire.toGeminiInteractionsMessages,
  fromToolCalls: toolwire.fromGeminiInteractionsToolCalls,
  fromRequest: toolwire.fromGeminiInteractionsRequest,
  toResponse: toolwire.toGeminiInteractionsResponse,
};
export const ollama: contract.Driver = {
  to: toolwire.toOllama,
  from: toolwire.fromOllama,
  toTools: toolwire.toOllamaTools,
  toToolChoice: toolwire.toOllamaToolChoice,
  toSchema: toolwire.toOllamaSchema,
  toToolConfig: toolwire.toOllamaToolConfig,
  toMessages: toolwire.toOllamaMessages,
  fromToolCalls: toolwire.fromOllamaToolCalls,
  fromRequest: toolwire.fromOllamaRequest,
  toResponse: toolwire.toOllamaResponse,
};
export const toGoogleGenAI: contract.ToGoogleGenAI = toolwire.toGoogleGenAI;
export const fromGoogleGenAI: contract.FromGoogleGenAI = toolwire.fromGoogleGenAI;
export const convertRequest: contract.ConvertBody = toolwire.convertRequest;
export const convertResponse: contract.ConvertBody = toolwire.convertResponse;
export const convertError: contract.ConvertError = toolwire.convertError;
export const requestPath: contract.RequestPath = toolwire.requestPath;
export const contextOf: contract.ContextOf = toolwire.contextOf;
export const setDefaultOptions: contract.SetDefaultOptions = toolwire.setDefaultOptions;
export const toolResult: contract.MakeToolResult = toolwire.toolResult;
export const readStream: contract.ReadStream = toolwire.readStream;
export const convertStream: contract.ConvertStream = toolwire.convertStream;
export const streamEvents: contract.StreamEvents = toolwire.streamEvents;
export const text: string = toolwire.convertRequest("{}", { from: "openai", to: "gemini" });
export const bytes: Uint8Array = toolwire.convertResponse(new Uint8Array(), { from: "openai", to: "gemini" });

export function failure(error: unknown): contract.ToolwireError | undefined {
  return error instanceof toolwire.ToolwireError ? error : undefined;
}

const universal: toolwire.UniversalRequest = toolwire.toUniversal({ messages: [] });
export const again: contract.ChatRequest = toolwire.fromUniversalRequest(universal);
export const turn: contract.ChatRequest = toolwire.fromUniversalRequest({
  tool_calls: [{ id: "1", name: "f", arguments: { x: 1 } }],
  tool_results: [{ tool_call_id: "1", result: [1, 2], is_error: false }],
});
export const path: string = toolwire.requestPath({ model: "m" }, { to: "anthropic", platform: "vertex" });
export const errorText: string = toolwire.convertError("<html>", { from: "openai", to: "canonical", status: 502 });

// A stream, as a driver reads it and as a gateway passes it on.
export async function answer(body: ReadableStream<Uint8Array>): Promise<contract.ChatResponse> {
  using reader = toolwire.readStream({ from: "openai", lossy: "error" });
  for await (const chunk of body) for (const event of reader.push(chunk)) told(event);
  reader.end().forEach(told);
  return reader.finish();
}
export function told(event: toolwire.StreamEvent): string | contract.ToolCall | contract.InvalidToolCall | undefined {
  if (event.type === "textDelta") return event.text;
  if (event.type === "toolCallEnd") return event.call;
  return event.type === "error" ? event.error.message : undefined;
}
export const argumentsOf = (event: contract.StreamEvent): Record<string, unknown> | undefined =>
  event.type === "toolCallEnd" && "arguments" in event.call ? event.call.arguments : undefined;
export const passed = (answer: Response): Response =>
  new Response(answer.body?.pipeThrough(toolwire.convertStream({ from: "anthropic", to: "openai" }).transform()));
export const events: contract.EventStream = toolwire.streamEvents(new ReadableStream<Uint8Array>(), { from: "gemini" });
export const whole: Promise<contract.ChatResponse> = events.response;

// What must not compile.
// @ts-expect-error: an option that does not exist
toolwire.toOpenAI({ messages: [] }, { lossyy: "error" });
// @ts-expect-error: not one of the values
toolwire.toOpenAI({ messages: [] }, { lossy: "never" });
// @ts-expect-error: a text result holds a string
export const result: toolwire.ToolResult = { toolCallId: "1", name: "f", kind: "text", value: {} };
// @ts-expect-error: a message needs content
toolwire.toOpenAI({ messages: [{ role: "user" }] });
// @ts-expect-error: the report format has no tools
toolwire.fromUniversalRequest({ tools: [] });
// @ts-expect-error: a status is a number
toolwire.convertError("{}", { from: "openai", to: "gemini", status: "502" });
// @ts-expect-error: both dialects are needed
toolwire.convertRequest("{}", { from: "openai" });
// @ts-expect-error: a stream has a dialect
toolwire.readStream({});
// @ts-expect-error: the target is missing
toolwire.convertStream({ from: "openai" });
// @ts-expect-error: readStream creates readers
new toolwire.StreamReader();
// @ts-expect-error: a converter takes bytes
toolwire.convertStream({ from: "openai", to: "gemini" }).push("data: {}");
// @ts-expect-error: a number is not a piece of a stream
toolwire.readStream({ from: "openai" }).push(200);
// @ts-expect-error: a string is not a stream
toolwire.streamEvents("data: {}", { from: "openai" });
