// The conversions with simulated tools. Without the option, they are those of `toolwire`.

import type { Bytes, ChatResponse, Conversion, ConversionContext, RequestOf, ResponseOf } from "#conversions";
import * as base from "#conversions";
import { joined, partsOf } from "./context.js";
import {
  type Body,
  likeBody,
  parsedBody,
  type ReadingOfResponse,
  readingOf,
  simulated,
  splitOptions,
  type TextConversion,
} from "./stage.js";

/**
 * As `convertRequest` of `toolwire`. With `simulateTools`, a prompt replaces the tools, and calls and results
 * become text.
 */
export function convertRequest(body: string, conversion: TextConversion): string;
export function convertRequest<C extends TextConversion>(body: Uint8Array | ArrayBuffer, conversion: C): Bytes;
export function convertRequest<C extends TextConversion>(body: object, conversion: C): RequestOf<C["to"]>;
export function convertRequest(body: Body, conversion: TextConversion): unknown {
  const { simulation, options } = splitOptions(conversion);
  if (!simulation) return base.convertRequest(body as object, options);
  const { request } = simulated(body, simulation, options);
  const { context: _, ...rest } = options;
  return base.convertRequest(likeBody(body, request), { ...rest, from: "canonical" });
}

/** As `convertResponse` of `toolwire`. With `simulateTools`, calls are read from the response's text. */
export function convertResponse(body: string, conversion: TextConversion): string;
export function convertResponse<C extends TextConversion>(body: Uint8Array | ArrayBuffer, conversion: C): Bytes;
export function convertResponse<C extends TextConversion>(body: object, conversion: C): ResponseOf<C["to"]>;
export function convertResponse(body: Body, conversion: TextConversion): unknown {
  const reading = readingOf(conversion);
  const { options } = splitOptions(conversion);
  return reading ? simulatedResponse(body, reading, options) : base.convertResponse(body as object, options);
}

/** Converts a response and reads the calls in its text. */
export function simulatedResponse(body: Body, reading: ReadingOfResponse, options: Conversion): object {
  const canonical = base.convertResponse(body as object, { ...options, to: "canonical", context: reading.model });
  const response = reading.response(parsedBody(canonical as Body) as ChatResponse);
  const given = likeBody(body, response);
  if (options.to === "canonical") return given;
  return base.convertResponse(given, { ...options, from: "canonical", context: reading.client });
}

/** As `convertError` of `toolwire`. Also accepts the context of simulated tools. */
export function convertError<T extends object | string | Uint8Array>(
  body: T,
  conversion: TextConversion & { status?: number },
): T {
  const { simulateTools: _, context, ...options } = conversion;
  const client = partsOf(context)?.client ?? context;
  return base.convertError(body, { ...options, ...(client && { context: client }) }) as T;
}

/** As `contextOf` of `toolwire`. With `simulateTools`, the context also contains what reading the response requires. */
export function contextOf(request: object | string | Uint8Array, conversion: TextConversion): ConversionContext {
  const { simulation, options } = splitOptions(conversion);
  if (!simulation) return base.contextOf(request, options);
  const { request: sent, reading } = simulated(request, simulation, options);
  const { context: _, ...silent } = { ...options, onWarning: undefined };
  const client = base.contextOf(request, { ...silent, to: "canonical" });
  return joined({ reading, client, model: base.contextOf(sent, { ...silent, from: "canonical" }) });
}
