// Standalone checks and repairs, without a toolkit.

import type { JsonSchema } from "toolwire";
import type { CheckedValue, CheckOptions, ParameterDefinition, RepairedJson } from "#core";
import { callCore } from "./core/instance.js";
import { checkedValue, optionsText, textOf } from "./core/texts.js";
import { ToolkitError } from "./errors.js";

/**
 * Checks a value against a schema, as `check` does for arguments. If `coerce`, `clamp` and `defaults` are all off, it only validates.
 * Default: all on.
 *
 * @throws ToolkitError `invalid_schema`
 */
export function checkValue(schema: JsonSchema | boolean, value: unknown, options?: CheckOptions): CheckedValue {
  const schemaText = schemaTextOf("the schema is", schema);
  const optionText = optionsText("the options", options);
  return checkedValue(value, (text) => callCore((core) => core.perform("checkValue", schemaText, text, optionText)));
}

/**
 * Repairs text that is almost JSON, such as model output. Values that are complete in the text are never lost.
 *
 * @throws ToolkitError `not_json` if the text contains no value.
 */
export function repairJson(text: string, options?: { schema?: JsonSchema | boolean }): RepairedJson {
  const schema = options?.schema === undefined ? "" : schemaTextOf("the schema is", options.schema);
  const result = callCore((core) => core.perform("repairJson", text, schema, ""));
  const [afterAbout, afterPlaces] = lineEnds(result);
  const { texts, truncated, others } = JSON.parse(result.slice(0, afterAbout));
  const places: number[] = JSON.parse(result.slice(afterAbout, afterPlaces));
  const repaired = result.slice(afterPlaces + 1);
  const changes: RepairedJson["changes"] = [];
  for (let at = 0; at < places.length; at += 2) {
    const [kind, message] = texts[places[at] as number];
    changes.push({ kind, offset: places[at + 1] as number, message });
  }
  return {
    value: JSON.parse(repaired),
    text: repaired,
    changes,
    truncated,
    others: others.map((other: string) => JSON.parse(other)),
  };
}

/** The positions of the first two line breaks. */
function lineEnds(text: string): [number, number] {
  const first = text.indexOf("\n");
  return [first, text.indexOf("\n", first + 1)];
}

/**
 * Returns the JSON Schema of parameter definitions.
 *
 * @throws ToolkitError `invalid_schema`
 */
export function parametersSchema(parameters: readonly ParameterDefinition[]): JsonSchema {
  const text = schemaTextOf("the parameter definitions are", parameters);
  return JSON.parse(callCore((core) => core.perform("parametersSchema", text, "", "")));
}

function schemaTextOf(what: string, schema: unknown): string {
  try {
    return textOf(schema);
  } catch (error) {
    throw new ToolkitError("invalid_schema", `${what} not JSON: ${(error as Error).message}`);
  }
}
