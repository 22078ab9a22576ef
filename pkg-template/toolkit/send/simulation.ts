// Tools for models without tool calling: a stage between an agent and its model.

import type { ChatRequest, ChatResponse, Dialect, StreamEvent, Warning } from "toolwire";

/** What reading the response requires: text format, tool definitions, tool choice. Plain JSON. */
export interface SimulationReading {
  readonly [key: string]: unknown;
}

/**
 * A stage that works on canonical values. It converts a request to one without tools, and a response with text to one
 * with calls, for whole and streamed responses.
 */
export interface Simulation {
  request(
    request: ChatRequest,
    target?: { to?: Dialect },
  ): { request: ChatRequest; reading: SimulationReading; warnings?: Warning[] };
  /** `onWarning` reports text of the model that is dropped. */
  response(response: ChatResponse, reading: SimulationReading, onWarning?: (warning: Warning) => void): ChatResponse;
  stream(
    reading: SimulationReading,
    onWarning?: (warning: Warning) => void,
  ): { push(event: StreamEvent): StreamEvent[]; end(): StreamEvent[] };
}
