// `simulateResponseFormat`: structured output for models without native support.

import { type ChatRequest, type ChatResponse, type ContentBlock, type StreamEvent, ToolwireError } from "#conversions";
import { jsonIn } from "../stages/json-in.js";
import { callCore } from "./core/instance.js";
import { checkEnforcement, type Enforced, enforced, engineOf, type SimulationTarget } from "./enforce.js";
import { readEvents, readResponse, type SimulationOptions } from "./simulate.js";
import type { OnWarning, SimulatedEvents, SimulatedRequest, Simulation, SimulationReading } from "./simulation.js";

/** How a response format is enforced, and where it is described in the request. */
export type ResponseFormatOptions = Pick<SimulationOptions, "enforce" | "place">;

/** Only separates reasoning from text. */
const PLAIN = { version: 1, format: "none", tools: [], prefill: "", seed: "" };

/**
 * Simulates responses that follow a schema (`responseFormat`) for models without that feature. The response is
 * requested in the prompt and enforced where possible, and the JSON is extracted from the text. An agent's `output`
 * also validates and repairs it.
 *
 * @throws ToolwireError for an unknown option, with its path
 */
export function simulateResponseFormat(options: ResponseFormatOptions = {}): Simulation {
  checkOptions(options);
  return {
    request: (request, target = {}) => promptedRequest(request, options, target),
    response: (response, reading, warn) =>
      isSimulated(reading) ? withJson(readResponse(response, PLAIN, warn)) : response,
    stream: (reading, warn) => (isSimulated(reading) ? new JsonEvents(warn) : asTheyAre),
  };
}

function checkOptions(options: ResponseFormatOptions): void {
  const unknown = Object.keys(options).find((key) => key !== "enforce" && key !== "place");
  if (unknown !== undefined) {
    throw new ToolwireError("invalid_value", "unknown option; the options are enforce and place", `/${unknown}`);
  }
  const text = JSON.stringify({ ...options, format: "json" });
  callCore((core) => core.checkSimulation(text));
  checkEnforcement(options, "json");
}

const isSimulated = ({ responseFormat }: SimulationReading) => responseFormat === true;

function promptedRequest(
  asked: ChatRequest,
  options: ResponseFormatOptions,
  target: SimulationTarget,
): SimulatedRequest {
  const { responseFormat: format, ...rest } = asked;
  if (format === undefined || format.type === "text") return { request: asked, reading: { responseFormat: false } };
  const hasTools = (asked.tools ?? []).length > 0 && asked.toolChoice !== "none";
  const texts = [JSON.stringify(rest), promptOf(format, hasTools), JSON.stringify(options)] as const;
  const request: ChatRequest = JSON.parse(callCore((core) => core.withPrompt(...texts)));
  const reading = { responseFormat: true };
  // a server that enforces JSON would prevent calls
  const engine = hasTools ? undefined : engineOf(options, "json", target);
  if (!engine) return { request, reading };
  const { type: _, schema, ...named } = { schema: undefined, ...format };
  const what = {
    ...named,
    path: "/responseFormat",
    schema: (fit: Parameters<Enforced["schema"]>[0]) => schema && fit(schema, "/responseFormat/schema"),
  };
  return { ...enforced(request, engine, what, options), reading };
}

function promptOf(format: NonNullable<ChatRequest["responseFormat"]>, hasTools: boolean): string {
  const when = hasTools ? "If you call no tool, respond" : "Respond";
  if (format.type !== "jsonSchema") return `${when} with exactly one JSON object, and with nothing else.`;
  const { description, schema } = format;
  const about = description ? `${description}\n\n` : "";
  return `${about}${when} with exactly one JSON value, and with nothing else. It follows this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Extracts the JSON from the text. The whole text is kept in `metadata.toolwire.text`. */
function withJson(response: ChatResponse): ChatResponse {
  const json = jsonIn(response.text);
  if (json === undefined || json === response.text) return response;
  const { content } = response.message;
  const first = content.findIndex(({ type }) => type === "text");
  const blocks = content.flatMap((block, index): ContentBlock[] => {
    if (block.type !== "text") return [block];
    return index === first ? [{ ...block, text: json }] : [];
  });
  const own = { ...(response.metadata?.toolwire as object), text: response.text };
  const message = { ...response.message, content: blocks };
  return { ...response, text: json, message, metadata: { ...response.metadata, toolwire: own } };
}

const asTheyAre: SimulatedEvents = { push: (event) => [event], end: () => [] };

/** Buffers the text until it is complete. */
class JsonEvents implements SimulatedEvents {
  readonly #source: SimulatedEvents;
  #held: (StreamEvent & { type: "textDelta" }) | undefined;

  constructor(onWarning: OnWarning | undefined) {
    this.#source = readEvents(PLAIN, onWarning);
  }

  push(event: StreamEvent): StreamEvent[] {
    return this.#source.push(event).flatMap((event) => this.#taken(event));
  }

  end(): StreamEvent[] {
    return [...this.#source.end().flatMap((event) => this.#taken(event)), ...this.#released()];
  }

  #taken(event: StreamEvent): StreamEvent[] {
    if (event.type === "textDelta") {
      this.#held = this.#held ? { ...this.#held, text: this.#held.text + event.text } : event;
      return [];
    }
    return event.type === "finish" || event.type === "error" ? [...this.#released(), event] : [event];
  }

  #released(): StreamEvent[] {
    const held = this.#held;
    this.#held = undefined;
    return held ? [{ ...held, text: jsonIn(held.text) ?? held.text }] : [];
  }
}
