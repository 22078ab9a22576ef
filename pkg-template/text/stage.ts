// Runs the stage between two conversions: client's format → canonical → stage → canonical → model's format, and back.

import * as base from "#conversions";
import {
  type ChatRequest,
  type ChatResponse,
  type Dialect,
  type Options,
  ToolwireError,
  type Warning,
} from "#conversions";
import { type Parts, partsOf, requiredParts } from "./context.js";
import { type SimulatedRequest, type Simulation, type SimulationOption, simulationOf } from "./simulation.js";

/** The options of a conversion, with `simulateTools`. */
export type TextOptions = Options & SimulationOption;
/** From which dialect to which, and how, with `simulateTools`. */
export interface TextConversion extends TextOptions {
  /** The format of the input. */
  from: Dialect;
  /** The format of the output. */
  to: Dialect;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A body as text, bytes or an object. */
export type Body = string | Uint8Array | ArrayBuffer | object;

const isBytes = (body: unknown): body is Uint8Array | ArrayBuffer =>
  ArrayBuffer.isView(body) || body instanceof ArrayBuffer;

export function parsedBody(body: Body): unknown {
  if (typeof body === "string") return JSON.parse(body);
  return isBytes(body) ? JSON.parse(decoder.decode(body)) : body;
}

/** The value in the same form as the body. */
export function likeBody(body: Body, value: object): object {
  if (typeof body !== "string" && !isBytes(body)) return value;
  const text = JSON.stringify(value);
  return (typeof body === "string" ? text : encoder.encode(text)) as object;
}

/** Splits the options between the conversions before and after the stage. */
export function splitOptions<Given extends TextOptions>(given: Given | undefined) {
  const { simulateTools, ...options } = (given ?? {}) as Given;
  return { simulation: simulationOf(simulateTools), options };
}

/** The output of the stage for a request in the format `from`. */
export function simulated(
  body: Body,
  simulation: Simulation,
  { to, ...options }: Options & { from: Dialect; to: Dialect },
): SimulatedRequest {
  const { context: _, ...rest } = options;
  const canonical = base.convertRequest(body as object, { ...rest, to: "canonical" });
  const result = simulation.request(parsedBody(canonical as Body) as ChatRequest, { to });
  for (const warning of result.warnings ?? []) report(warning, options);
  return result;
}

function report(warning: Warning, { lossy, onWarning }: Options): void {
  if (lossy === "error" && warning.lossy) throw new ToolwireError("lossy", warning.message, warning.path);
  onWarning?.(warning);
}

/** How a response is read. Undefined if tools are not simulated. */
export function readingOf({ simulateTools, context, ...options }: TextOptions) {
  const simulation = simulationOf(simulateTools);
  if (simulation) return readingWith(simulation, requiredParts(context), options);
  if (!partsOf(context)) return undefined;
  const message = "the context is of a request with simulated tools: pass the same simulateTools";
  throw new ToolwireError("missing_field", message, "/options/simulateTools");
}

/** How a response is read with the parts of a context. */
export function readingWith(simulation: Simulation, parts: Parts, options: Options) {
  const warn = (warning: Warning) => report(warning, options);
  return {
    ...parts,
    response: (response: ChatResponse) => simulation.response(response, parts.reading, warn),
    /** The response of a stream, whose events were reported already. */
    responseOfStream: (response: ChatResponse) => simulation.response(response, parts.reading),
    events: (onWarning = warn) => simulation.stream(parts.reading, onWarning),
    warn,
  };
}

export type ReadingOfResponse = ReturnType<typeof readingWith>;
