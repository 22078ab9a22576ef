// Tools for a model without native tool calling: a stage that works on canonical values.

import { type ChatRequest, type ChatResponse, type StreamEvent, ToolwireError, type Warning } from "#conversions";
import type { SimulationTarget } from "./enforce.js";
import { isStage, type SimulationOptions, simulateTools } from "./simulate.js";
import type { TextFormat } from "./write.js";

/** What reading the response requires: text format, tool definitions, tool choice. Plain JSON. */
export interface SimulationReading {
  readonly [key: string]: unknown;
}

/**
 * A request whose tools are part of its prompt, and what is required to read its response. docs/simulated-tools.md
 * shows its use.
 */
export interface SimulatedRequest {
  request: ChatRequest;
  reading: SimulationReading;
  /** Warnings about what text can't express. */
  warnings?: Warning[];
}

/**
 * A stage that works on canonical values. It converts a request to one without tools, and a response with text to one
 * with calls, for whole and streamed responses.
 */
export interface Simulation {
  /** `enforce: "auto"` depends on the target. */
  request(request: ChatRequest, target?: SimulationTarget): SimulatedRequest;
  /** `onWarning` reports text of the model that is dropped. */
  response(response: ChatResponse, reading: SimulationReading, onWarning?: OnWarning): ChatResponse;
  stream(reading: SimulationReading, onWarning?: OnWarning): SimulatedEvents;
}

export type OnWarning = (warning: Warning) => void;

/**
 * Converts the events of a response in which calls are text to events with calls. `end` returns those that were
 * held back.
 */
export interface SimulatedEvents {
  push(event: StreamEvent): StreamEvent[];
  end(): StreamEvent[];
}

/** The option that the conversions of this entry point accept in addition to those of `toolwire`. */
export interface SimulationOption {
  /**
   * Simulates tools for a model without tool calling. Read responses with the context of their request (`contextOf`
   * with the same option). Options or a format id are a shorthand for a call of `simulateTools`.
   */
  simulateTools?: Simulation | SimulationOptions | TextFormat;
}

const PATH = "/options/simulateTools";

/** The stage that the option specifies, if any. */
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
