// The JSON Schema of a response with calls, for servers that enforce JSON.

import type { JsonSchema, ToolChoice, ToolDefinition } from "toolwire";

type Schema = Record<string, unknown>;

export interface CallRules {
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
}

/** The tools that may be called, and whether one of them must be. */
export function callable(tools: readonly ToolDefinition[], choice: ToolChoice | undefined) {
  if (typeof choice === "string" || choice === undefined) return { tools, isForced: choice === "required" };
  const names = "name" in choice ? [choice.name] : "allowed" in choice ? choice.allowed : [];
  const isForced = "name" in choice || ("mode" in choice && choice.mode === "required");
  return { tools: tools.filter(({ name }) => names.includes(name)), isForced };
}

/** `{"text": …, "calls": […]}`; without `text` if a call is required. `text` may be a value of another schema. */
export function responseSchema(tools: readonly ToolDefinition[], rules: CallRules, text?: JsonSchema): JsonSchema {
  const { tools: allowed, isForced } = callable(tools, rules.toolChoice);
  const definitions: Schema = {};
  const items = allowed.map(({ name, parameters }, index) =>
    object({ name: { enum: [name] }, arguments: embedded(argumentsOf(parameters), `tool${index}`, definitions) }),
  );
  const calls: Schema = { type: "array", items: items.length === 1 ? items[0] : { anyOf: items } };
  if (isForced) calls.minItems = 1;
  if (rules.parallelToolCalls === false) calls.maxItems = 1;
  const said =
    text === undefined ? { type: "string" } : { anyOf: [embedded(text, "text", definitions), { type: "null" }] };
  return {
    ...object(isForced ? { calls } : { text: said, calls }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

const object = (properties: Schema): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const argumentsOf = (parameters: JsonSchema = {}): Schema => ({ type: "object", ...(parameters as Schema) });

/**
 * A schema as a part of another: its definitions move to those of the whole, under names that begin with `prefix`, and its references
 * follow them.
 */
export function embedded(schema: JsonSchema, prefix: string, definitions: Schema): JsonSchema {
  let isReferenced = false;
  const moved = (reference: string) => {
    const [, key, rest] = /^#\/(?:\$defs|definitions)\/([^/]+)(.*)$/.exec(reference) ?? [];
    if (key !== undefined) return `#/$defs/${prefix}.${key}${rest}`;
    isReferenced = true;
    return `#/$defs/${prefix}${reference.slice(1)}`;
  };
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string" && inner.startsWith("#")
        ? [key, moved(inner)]
        : [key, isValue(key) ? inner : rewritten(inner)],
    );
    return Object.fromEntries(entries);
  };
  const { $defs, definitions: older, ...rest } = schema as Schema;
  for (const [key, definition] of Object.entries({ ...(older as Schema), ...($defs as Schema) }))
    definitions[`${prefix}.${key}`] = rewritten(definition);
  const whole = rewritten(rest) as Schema;
  if (!isReferenced) return whole;
  definitions[prefix] = whole;
  return { $ref: `#/$defs/${prefix}` };
}

/** Keywords that hold values, not schemas. */
const isValue = (key: string) => ["const", "default", "enum", "example", "examples"].includes(key);
