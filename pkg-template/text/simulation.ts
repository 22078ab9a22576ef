// Tools for a model without native tool calling: a stage on canonical values.

import { type ChatRequest, type ChatResponse, type StreamEvent, ToolwireError, type Warning } from "#conversions";

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
  request(request: ChatRequest): SimulatedRequest;
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
   * same option).
   */
  simulateTools?: Simulation;
}

const METHODS = ["request", "response", "stream"] as const;

/** The stage of an option, if it is given. */
export function simulationOf(option: unknown): Simulation | undefined {
  if (option === undefined) return undefined;
  const given = option as Simulation | null;
  if (METHODS.every((method) => typeof given?.[method] === "function")) return given as Simulation;
  const message = "expected a stage with the methods request, response and stream";
  throw new ToolwireError("invalid_type", message, "/options/simulateTools");
}
