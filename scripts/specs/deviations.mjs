// Applies corrections to descriptions that are outdated. Each has a reason and a source.

import { CommandFailed } from "../lib/run.mjs";

/** A copy of the components with the deviations applied. */
export function withDeviations(components, deviations) {
  const changed = structuredClone(components);
  for (const deviation of deviations) apply(changed, deviation);
  return changed;
}

function apply(components, { where, change }) {
  const [[kind, value], ...more] = Object.entries(change);
  const operation = operations[kind];
  if (operation === undefined || more.length > 0) throw new CommandFailed(`deviation ${where}: unknown change ${kind}`);
  const keys = where.split("/");
  const last = keys.pop();
  const parent = keys.reduce((schema, key) => schema?.[key], components);
  if (kind !== "component" && parent?.[last] === undefined)
    throw new CommandFailed(`deviation ${where}: no such schema`);
  parent[last] = operation(parent[last], value);
}

const operations = {
  /** Adds optional fields to an object. */
  properties: (schema, fields) => ({ ...schema, properties: { ...schema.properties, ...fields } }),
  /** Makes fields optional. */
  optional: (schema, fields) => ({ ...schema, required: schema.required.filter((name) => !fields.includes(name)) }),
  /** Adds allowed values. */
  values: (schema, values) => ({ ...schema, enum: [...schema.enum, ...values] }),
  /** Adds allowed schemas. */
  also: (schema, schemas) => ({ ...schema, oneOf: [...schema.oneOf, ...schemas] }),
  /** Allows any fields in an object. */
  open: (schema) => ({ ...schema, additionalProperties: true }),
  /** Allows null. */
  orNull: (schema) => ({ anyOf: [schema, { type: "null" }] }),
  /** Adds a component that is referenced and missing. */
  component: (there, schema) => {
    if (there) throw new CommandFailed("a component that a deviation adds is there by now");
    return schema;
  },
};
