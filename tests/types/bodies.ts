// The return types of conversions of whole bodies, by type of input.

import * as toolwire from "../../pkg/dist/index.js";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_T extends true>(): void => {};

const conversion = { from: "openai", to: "anthropic" } as const;
declare const request: toolwire.OpenAIRequest;
declare const response: toolwire.OpenAIResponse;
declare const buffer: ArrayBuffer;

// A string.
const requestText = toolwire.convertRequest("{}", conversion);
const responseText = toolwire.convertResponse("{}", conversion);
is<Equal<typeof requestText, string>>();
is<Equal<typeof responseText, string>>();

// Bytes, which fetch accepts.
const requestBytes = toolwire.convertRequest(new Uint8Array(), conversion);
const responseBytes = toolwire.convertResponse(new Uint8Array(), conversion);
is<Equal<typeof requestBytes, toolwire.Bytes>>();
is<Equal<typeof responseBytes, toolwire.Bytes>>();
export const sent = new Request("https://example.com", { method: "POST", body: requestBytes });
export const answered = new Response(responseBytes);

// An ArrayBuffer.
const fromBuffer = toolwire.convertRequest(buffer, conversion);
const fromResponseBuffer = toolwire.convertResponse(buffer, conversion);
is<Equal<typeof fromBuffer, toolwire.Bytes>>();
is<Equal<typeof fromResponseBuffer, toolwire.Bytes>>();

// An object: the type follows `to`.
const requestObject = toolwire.convertRequest(request, conversion);
const responseObject = toolwire.convertResponse(response, conversion);
is<Equal<typeof requestObject, toolwire.AnthropicRequest>>();
is<Equal<typeof responseObject, toolwire.AnthropicResponse>>();
const canonical = toolwire.convertRequest({} as object, { from: "gemini", to: "canonical" });
is<Equal<typeof canonical, toolwire.ChatRequest>>();
is<Equal<toolwire.RequestOf<"vertexai">, toolwire.VertexAIRequest>>();
is<Equal<toolwire.ResponseOf<"canonical">, toolwire.ChatResponse>>();
// @ts-expect-error: a response of Anthropic is not one of OpenAI
export const wrong: toolwire.OpenAIResponse = toolwire.convertResponse(response, conversion);

// A literal `stream` selects between the SDKs' types.
const messages: toolwire.MessageInput[] = [];
const streamed = toolwire.toOpenAI({ messages, stream: true });
const once = toolwire.toAnthropic({ messages, stream: false });
const either = toolwire.toOpenAI({ messages } as toolwire.ChatRequestInput);
is<Equal<typeof streamed.stream, true>>();
is<Equal<typeof once.stream, false>>();
is<Equal<typeof either, toolwire.OpenAIRequest>>();

// Interfaces of other packages can be schemas.
interface JSONSchema7 {
  type?: "object" | "string";
  properties?: { [name: string]: JSONSchema7 };
}
declare const schema: JSONSchema7;
export const tool: toolwire.ToolDefinition = { name: "f", parameters: schema };
export const generation: toolwire.GeminiGenerationConfig = { responseSchema: { type: "OBJECT" } };
