// Tools for a model without native tool calling: a stage on canonical values.

import { type ChatRequest, type ChatResponse, type StreamEvent, ToolwireError, type Warning } from "#conversions";
import type { SimulationTarget } from "./enforce.js";
import { isStage, type SimulationOptions, simulateTools } from "./simulate.js";
import type { TextFormat } from "./write.js";

/** What reading the response requires: format, tool definitions, tool choice. Plain JSON. */
export interface SimulationReading {
  readonly [key: string]: unknown;
}

export interface SimulatedRequest {
  request: ChatRequest;
  reading: SimulationReading;
  /** What text can't express. */
  warnings?: Warning[];
}

/**
 * A stage that works on canonical values: it converts a request to one without tools, and a response with text to one with calls,
 * both whole and streamed.
 */
export interface Simulation {
  /** The target is what `enforce: "auto"` depends on. */
  request(request: ChatRequest, target?: SimulationTarget): SimulatedRequest;
  response(response: ChatResponse, reading: SimulationReading): ChatResponse;
  stream(reading: SimulationReading): SimulatedEvents;
}

export interface SimulatedEvents {
  push(event: StreamEvent): StreamEvent[];
  end(): StreamEvent[];
}

/** The option that the conversions of this entry point accept beside those of `toolwire`. */
export interface SimulationOption {
  /**
   * Simulates tools for a model without tool calling. Responses are read with the context of their request (`contextOf`, with the
   * same option). Options or the id of a format mean `simulateTools` of these.
   */
  simulateTools?: Simulation | SimulationOptions | TextFormat;
}

const PATH = "/options/simulateTools";

/** The stage of an option, if it is given. */
export function simulationOf(option: SimulationOption["simulateTools"]): Simulation | undefined {
  if (option === undefined) return undefined;
  if (isStage(option)) return option;
  try {
    return simulateTools(option);
  } catch (error) {
    if (!(error instanceof ToolwireError)) throw error;
    throw new ToolwireError(error.code, error.message, `${PATH}${error.path}`);
  }
}
