// `toX` and `fromX` with simulated tools. The build applies them to each dialect, in dialects.ts.

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

/** @internal */
export function to<Body>(
  dialect: Dialect,
  write: (request: ChatRequestInput, options?: Options) => Body,
): ToWire<Body> {
  const converted = (request: ChatRequestInput, given?: TextOptions): Body => {
    const { simulation, options } = splitOptions(given);
    if (!simulation) return write(request, given && options);
    const { request: sent } = simulated(request, simulation, { ...options, from: "canonical", to: dialect });
    return write(sent, options);
  };
  return converted as ToWire<Body>;
}

/** @internal */
export function from(read: (response: never, options?: Options) => ChatResponse): FromWire {
  return (response, given) => {
    const reading = given && readingOf(given);
    const { options } = splitOptions(given);
    if (!reading) return read(response as never, given && options);
    return reading.response(read(response as never, { ...options, context: reading.model }));
  };
}

/** As `toGoogleGenAI` of `toolwire`, with the option `simulateTools`. */
export const toGoogleGenAI = to<base.GoogleGenAIRequest>("gemini", base.toGoogleGenAI);
/** As `fromGoogleGenAI` of `toolwire`, with the option `simulateTools`. */
export const fromGoogleGenAI = from(base.fromGoogleGenAI);
