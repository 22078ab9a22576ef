// Standalone checks and repairs, without a toolkit.

import type { JsonSchema } from "toolwire";
import type { CheckedValue, CheckOptions, Json, ParameterDefinition, RepairedJson } from "#core";
import { callCore } from "./core/instance.js";
import { checkedValue, optionsText, parsed, textOf } from "./core/texts.js";
import { ToolkitError } from "./errors.js";
import { ofRepair, requireOptions } from "./requirements.js";

/**
 * Checks a value against a schema, as `check` does for arguments. If `coerce`, `clamp` and `defaults` are all off, it only validates.
 * Default: all on.
 *
 * @throws ToolkitError `invalid_schema`
 */
export function checkValue(schema: JsonSchema | boolean, value: unknown, options?: CheckOptions): CheckedValue {
  const schemaText = schemaTextOf("the schema is", schema);
  const optionText = optionsText("the options", options);
  return checkedValue(value, (text) => callCore((core) => core.checkValue(schemaText, text, optionText)));
}

/**
 * Repairs text that is almost JSON, such as model output. Values that are complete in the text are never lost.
 *
 * @throws ToolkitError `not_json` if the text contains no value.
 */
export function repairJson(text: string, options?: { schema?: JsonSchema | boolean }): RepairedJson {
  if (options !== undefined) requireOptions(options, ofRepair, { what: "repairJson" });
  const schema = options?.schema === undefined ? undefined : schemaTextOf("the schema is", options.schema);
  const [details, offsets, repaired] = callCore((core) => core.repairJson(text, schema));
  const { texts, truncated, others } = parsed(details);
  const places = parsed(offsets);
  const changes: RepairedJson["changes"] = [];
  for (let at = 0; at < places.length; at += 2) {
    const [kind, message] = texts[places[at] as number] as [string, string];
    changes.push({ kind, offset: places[at + 1] as number, message });
  }
  return { value: parsed(repaired), text: repaired, changes, truncated, others: others.map(parsed) };
}

/**
 * Returns the JSON Schema of parameter definitions.
 *
 * @throws ToolkitError `invalid_schema`
 */
export function parametersSchema(parameters: readonly ParameterDefinition[]): JsonSchema {
  const text = schemaTextOf("the parameter definitions are", parameters);
  return parsed(callCore((core) => core.parametersSchema(text)));
}

function schemaTextOf<Schema>(what: string, schema: Schema): Json<Schema> {
  try {
    return textOf(schema);
  } catch (error) {
    throw new ToolkitError("invalid_schema", `${what} not JSON: ${(error as Error).message}`);
  }
}
