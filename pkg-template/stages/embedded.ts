// Embeds a JSON Schema in another one.

import type { JsonSchema } from "toolwire";

type Schema = Record<string, unknown>;

/**
 * Embeds a schema: its definitions are moved to those of the outer schema, with names that start with `prefix`, and its
 * references are updated.
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

/** Keywords whose values are data, not schemas. */
const isValue = (key: string) => ["const", "default", "enum", "example", "examples"].includes(key);
