// `simulateTools`: the stage of a text format.

import { type ChatRequest, type StreamEvent, ToolwireError, type Warning } from "#conversions";
import { callCore } from "./core/instance.js";
import { checkEnforcement, type Enforcement, enforced, engineOf, type SimulationTarget } from "./enforce.js";
import type { SimulatedEvents, SimulatedRequest, Simulation, SimulationReading } from "./simulation.js";
import type { PromptOptions, TextFormat } from "./write.js";

export interface SimulationOptions extends Pick<PromptOptions, "examples" | "definitions"> {
  /** `auto`: chosen by the name of the request's model, or else `json`. */
  format: TextFormat | "auto";
  /** Where to put the prompt: before the first system message, after it, or in the last user message. Default `systemEnd`. */
  place?: "systemStart" | "systemEnd" | "user";
  /**
   * What enforces the form of the output. `auto` uses what the target is known to support (JSON mode, the schema of Ollama) and is the
   * default for format `json`. What the given server will not enforce is reported as a warning.
   */
  enforce?: Enforcement;
}

/**
 * Gives a model tools in its text: definitions, calls and results are written in the format, and what the model writes in it is read
 * as calls.
 *
 * @throws ToolwireError for an unknown format or option, with its path
 */
export function simulateTools(options: SimulationOptions | TextFormat): Simulation {
  const settings = settingsOf(options);
  const text = JSON.stringify(settings);
  callCore((core) => core.checkSimulation(text));
  checkEnforcement(settings);
  return {
    request: (request, target = {}) => simulatedRequest(request, settings, target),
    response: (response, reading) =>
      callCore((core) => JSON.parse(core.simulatedResponse(JSON.stringify(response), JSON.stringify(reading)))),
    stream: simulatedStream,
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
  const engine = engineOf(settings, asked, target);
  const texts = [JSON.stringify(asked), JSON.stringify(settings)] as const;
  const simulated = callCore((core) => JSON.parse(core.simulatedRequest(...texts, engine !== undefined)));
  const warnings: Warning[] = simulated.warnings.map(warningOf);
  if (!engine) return { ...simulated, warnings };
  const { request, warnings: more } = enforced(simulated.request, asked, engine, settings);
  return { ...simulated, request, warnings: [...warnings, ...more] };
}

/** A setting that the request loses, or a message that the format can't hold as it is. */
function warningOf({ path, message }: { path: string; message: string }): Warning {
  const code = path.startsWith("/messages") ? "content_changed" : "setting_dropped";
  return { code, message, path, lossy: true, dialect: "canonical" };
}

function simulatedStream(reading: SimulationReading): SimulatedEvents {
  const stream = callCore((core) => new core.SimulatedStream(JSON.stringify(reading)));
  const eventsOf = (read: () => string): StreamEvent[] => callCore(() => JSON.parse(read()));
  return {
    push: (event) => eventsOf(() => stream.push(JSON.stringify(event))),
    end: () => eventsOf(() => stream.end()),
  };
}
