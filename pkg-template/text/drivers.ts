// `toX` and `fromX` with simulated tools, one row per format.

import type { ChatRequestInput, ChatResponse, Dialect, Options, Streamed } from "#conversions";
import * as base from "#conversions";
import { readingOf, simulated, splitOptions, type TextOptions } from "./stage.js";

/** As the function of `toolwire`, with the option `simulateTools`. */
export type ToWire<Body> = <S extends boolean | undefined = undefined>(
  request: ChatRequestInput & { stream?: S },
  options?: TextOptions,
) => Streamed<Body, S>;
/** As the function of `toolwire`, with the option `simulateTools`. */
export type FromWire = (response: object, options?: TextOptions) => ChatResponse;

function to<Body>(dialect: Dialect, write: (request: ChatRequestInput, options?: Options) => Body): ToWire<Body> {
  const converted = (request: ChatRequestInput, given?: TextOptions): Body => {
    const { simulation, options } = splitOptions(given);
    if (!simulation) return write(request, given && options);
    const { request: sent } = simulated(request, simulation, { ...options, from: "canonical", to: dialect });
    return write(sent, options);
  };
  return converted as ToWire<Body>;
}

function from(read: (response: never, options?: Options) => ChatResponse): FromWire {
  return (response, given) => {
    const reading = given && readingOf(given);
    const { options } = splitOptions(given);
    if (!reading) return read(response as never, given && options);
    return reading.response(read(response as never, { ...options, context: reading.model }));
  };
}

export const toAnthropic = to<base.AnthropicRequest>("anthropic", base.toAnthropic);
export const fromAnthropic = from(base.fromAnthropic);
export const toGemini = to<base.GeminiRequest>("gemini", base.toGemini);
export const fromGemini = from(base.fromGemini);
export const toGoogleGenAI = to<base.GoogleGenAIRequest>("gemini", base.toGoogleGenAI);
export const fromGoogleGenAI = from(base.fromGoogleGenAI);
export const toOllama = to<base.OllamaRequest>("ollama", base.toOllama);
export const fromOllama = from(base.fromOllama);
export const toOpenAI = to<base.OpenAIRequest>("openai", base.toOpenAI);
export const fromOpenAI = from(base.fromOpenAI);
export const toOpenAIResponses = to<base.OpenAIResponsesRequest>("openai-responses", base.toOpenAIResponses);
export const fromOpenAIResponses = from(base.fromOpenAIResponses);
export const toVertexAI = to<base.VertexAIRequest>("vertexai", base.toVertexAI);
export const fromVertexAI = from(base.fromVertexAI);
