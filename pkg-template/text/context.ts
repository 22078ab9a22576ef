// The context of a conversion with simulated tools. It contains the contexts of the conversions before and after the
// stage.

import { type ConversionContext, ToolwireError } from "#conversions";
import type { SimulationReading } from "./simulation.js";

const VERSION = 1;

export interface Parts {
  reading: SimulationReading;
  /** The context of the conversion between the client's format and the canonical format. */
  client: ConversionContext;
  /** The context of the conversion between the canonical format and the model's format. */
  model: ConversionContext;
}

export const joined = (parts: Parts): ConversionContext => ({ simulation: { version: VERSION, ...parts } });

/** The parts of a context. Undefined if the conversion does not simulate tools. */
export function partsOf(context: ConversionContext | undefined): Parts | undefined {
  const parts = (context as { simulation?: unknown } | undefined)?.simulation as
    | (Parts & { version: number })
    | undefined;
  if (parts === undefined) return undefined;
  const { version, reading, client, model } = parts ?? {};
  if (version === VERSION && reading && client && model) return { reading, client, model };
  const message = "expected what contextOf returned with the option simulateTools, of the same version of toolwire";
  throw new ToolwireError("invalid_value", message, "/options/context/simulation");
}

/** The parts of a context. Throws if the conversion does not simulate tools. */
export function requiredParts(context: ConversionContext | undefined): Parts {
  const parts = partsOf(context);
  if (parts) return parts;
  const message =
    "a response with simulated tools is read with the context of its request: pass context: contextOf(request, …)";
  throw new ToolwireError("missing_field", message, "/options/context");
}
