// Checks and repairs on their own, without a toolkit.

import type { JsonSchema } from "toolwire";
import type { CheckedValue, CheckOptions, JsonSchema as CoreSchema, ParameterDefinition, RepairedJson } from "#core";
import { callCore } from "./core/instance.js";

/**
 * Checks one value against one schema, as `check` does for arguments. With `coerce`, `clamp` and `defaults` all off, it only
 * validates. Default: all on.
 *
 * @throws ToolkitError `invalid_schema`
 */
export function checkValue(schema: JsonSchema | boolean, value: unknown, options?: CheckOptions): CheckedValue {
  return callCore((core) => core.checkValue(schema as CoreSchema | boolean, value, options));
}

/**
 * Repairs text that is almost JSON, such as what models write. Values that were present in full are never lost.
 *
 * @throws ToolkitError `not_json` if the text contains no value.
 */
export function repairJson(text: string, options?: { schema?: JsonSchema | boolean }): RepairedJson {
  const repaired = callCore((core) => core.repairJson(text, options as { schema?: CoreSchema | boolean }));
  const { texts, places } = repaired.changes;
  const changes = places.map(([index, offset]) => {
    const [kind, message] = texts[index] as [string, string];
    return { kind, offset, message };
  });
  return { ...repaired, changes };
}

/**
 * Returns the JSON Schema of parameter definitions.
 *
 * @throws ToolkitError `invalid_schema`
 */
export function parametersSchema(parameters: readonly ParameterDefinition[]): JsonSchema {
  return callCore((core) => core.parametersSchema(parameters));
}
