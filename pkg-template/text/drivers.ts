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

/** As `toAnthropic` of `toolwire`, with the option `simulateTools`. */
export const toAnthropic = to<base.AnthropicRequest>("anthropic", base.toAnthropic);
/** As `fromAnthropic` of `toolwire`, with the option `simulateTools`. */
export const fromAnthropic = from(base.fromAnthropic);
/** As `toGemini` of `toolwire`, with the option `simulateTools`. */
export const toGemini = to<base.GeminiRequest>("gemini", base.toGemini);
/** As `fromGemini` of `toolwire`, with the option `simulateTools`. */
export const fromGemini = from(base.fromGemini);
/** As `toGoogleGenAI` of `toolwire`, with the option `simulateTools`. */
export const toGoogleGenAI = to<base.GoogleGenAIRequest>("gemini", base.toGoogleGenAI);
/** As `fromGoogleGenAI` of `toolwire`, with the option `simulateTools`. */
export const fromGoogleGenAI = from(base.fromGoogleGenAI);
/** As `toOllama` of `toolwire`, with the option `simulateTools`. */
export const toOllama = to<base.OllamaRequest>("ollama", base.toOllama);
/** As `fromOllama` of `toolwire`, with the option `simulateTools`. */
export const fromOllama = from(base.fromOllama);
/** As `toOpenAI` of `toolwire`, with the option `simulateTools`. */
export const toOpenAI = to<base.OpenAIRequest>("openai", base.toOpenAI);
/** As `fromOpenAI` of `toolwire`, with the option `simulateTools`. */
export const fromOpenAI = from(base.fromOpenAI);
/** As `toOpenAIResponses` of `toolwire`, with the option `simulateTools`. */
export const toOpenAIResponses = to<base.OpenAIResponsesRequest>("openai-responses", base.toOpenAIResponses);
/** As `fromOpenAIResponses` of `toolwire`, with the option `simulateTools`. */
export const fromOpenAIResponses = from(base.fromOpenAIResponses);
/** As `toVertexAI` of `toolwire`, with the option `simulateTools`. */
export const toVertexAI = to<base.VertexAIRequest>("vertexai", base.toVertexAI);
/** As `fromVertexAI` of `toolwire`, with the option `simulateTools`. */
export const fromVertexAI = from(base.fromVertexAI);
