// `simulateTools`: the simulation stage of a text format.

import {
  type ChatRequest,
  type ChatResponse,
  type StreamEvent,
  type ToolDefinition,
  ToolwireError,
  type Warning,
} from "#conversions";
import type { PromptPlace } from "#core";
import { CARRIER } from "./carrier.js";
import { callCore } from "./core/instance.js";
import {
  carrierOf,
  checkEnforcement,
  type Enforced,
  type EnforceOption,
  enforced,
  enforcedByGrammar,
  engineOf,
  type SimulationTarget,
} from "./enforce.js";
import { droppedText, eventsIn } from "./read.js";
import { responseSchema } from "./response-schema.js";
import type { OnWarning, SimulatedEvents, SimulatedRequest, Simulation, SimulationReading } from "./simulation.js";
import type { PromptOptions, TextFormat } from "./write.js";

/** How tools are simulated. docs/simulated-tools.md describes each option. */
export interface SimulationOptions extends Pick<PromptOptions, "examples" | "definitions">, EnforceOption {
  /** `auto`: chosen by the model name in the request, or else `json`. */
  format: TextFormat | "auto";
  /**
   * The place of the prompt: before the first system message, after it, or in the last user message. Default
   * `systemEnd`.
   */
  place?: PromptPlace;
}

/**
 * Simulates tool calling for a model that only writes text. Definitions, calls and results are written in the text
 * format, and calls are read from the model's text.
 *
 * @throws ToolwireError for an unknown format or option, with its path
 */
export function simulateTools(options: SimulationOptions | TextFormat): Simulation {
  const settings = settingsOf(options);
  const text = JSON.stringify(settings);
  callCore((core) => core.checkSimulation(text));
  checkEnforcement(settings, settings.format);
  return {
    request: (request, target = {}) => simulatedRequest(request, settings, target),
    response: readResponse,
    stream: readEvents,
  };
}

const METHODS = ["request", "response", "stream"] as const;

export const isStage = (given: unknown): given is Simulation =>
  METHODS.every((method) => typeof (given as Simulation | null)?.[method] === "function");

function settingsOf(options: unknown): SimulationOptions {
  const fields = typeof options === "string" ? { format: options } : options;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    const message = "expected options of simulateTools, the id of a text format, or a stage";
    throw new ToolwireError("invalid_type", message, "");
  }
  if (!Object.hasOwn(fields, "format")) {
    throw new ToolwireError("missing_field", "`format` is required: the id of a text format, or auto", "/format");
  }
  return fields as SimulationOptions;
}

function simulatedRequest(asked: ChatRequest, settings: SimulationOptions, target: SimulationTarget): SimulatedRequest {
  const format = formatOf(settings, asked);
  const wanted = (asked.tools ?? []).length > 0 ? engineOf(settings, format, target) : undefined;
  const carrier = carrierOf(wanted, format);
  // without calls there is nothing to enforce, but calls of the history stay in the tool that carries them
  const engine = asked.toolChoice === "none" && carrier !== "tool" ? undefined : wanted;
  const texts = [JSON.stringify(asked), JSON.stringify(settings)] as const;
  const word = carrier === "tool" ? CARRIER : engine ? carrier : "text";
  const simulated = callCore((core) => JSON.parse(core.simulatedRequest(...texts, word)));
  const warnings: Warning[] = simulated.warnings.map(warningOf);
  if (!engine) return { ...simulated, warnings };
  const { request, warnings: more } =
    carrier === "object"
      ? enforced(simulated.request, engine, callsOf(asked), settings)
      : enforcedByGrammar(simulated.request, engine, { ...asked, ...formOf(simulated.reading) }, settings);
  return { ...simulated, request, warnings: [...warnings, ...more] };
}

const formOf = ({ format, carrier }: { format: string; carrier?: string }) => ({
  format,
  ...(carrier !== undefined && { carrier }),
});

function formatOf({ format }: SimulationOptions, { model = "" }: ChatRequest): TextFormat {
  return format === "auto" ? (callCore((core) => core.textFormatOf("model", model)) ?? "json") : format;
}

/** The calls that a request allows, and text that follows its `responseFormat`. */
function callsOf(asked: ChatRequest): Enforced {
  const { responseFormat: format } = asked;
  const text = format?.type === "jsonSchema" ? format.schema : format?.type === "json" ? { type: "object" } : undefined;
  const tools = asked.tools as ToolDefinition[];
  return {
    path: "/tools",
    schema(fit) {
      const parameters = (tool: ToolDefinition, index: number) =>
        fit({ type: "object", ...(tool.parameters as object | undefined) }, `/tools/${index}/parameters`);
      const fitted = tools.map((tool, index) => ({ ...tool, parameters: parameters(tool, index) }));
      return responseSchema(fitted, asked, text && fit(text, "/responseFormat/schema"));
    },
  };
}

/** A warning about a setting that the request loses, or content that the format can't represent exactly. */
function warningOf({ path, message }: { path: string; message: string }): Warning {
  const code = path.startsWith("/messages") ? "content_changed" : "setting_dropped";
  return { code, message, path, lossy: true, level: "loss", dialect: "canonical" };
}

export function readResponse(response: ChatResponse, reading: SimulationReading, onWarning?: OnWarning): ChatResponse {
  const texts = [JSON.stringify(response), JSON.stringify(reading)] as const;
  const read = callCore((core) => JSON.parse(core.simulatedResponse(...texts)));
  for (const message of read.dropped) onWarning?.(droppedText(message, "/message/content"));
  return read.response;
}

export function readEvents(reading: SimulationReading, onWarning?: OnWarning): SimulatedEvents {
  const stream = callCore((core) => new core.SimulatedStream(JSON.stringify(reading)));
  const eventsOf = (read: () => string): StreamEvent[] => eventsIn(callCore(read), onWarning);
  return {
    push: (event) => eventsOf(() => stream.push(JSON.stringify(event))),
    end: () => eventsOf(() => stream.end()),
  };
}
