// Where a description is behind its provider: changes to it, each with its reason and its source.

import { CommandFailed } from "../lib/run.mjs";

/** The components with the deviations applied; the given ones stay as they are. */
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
  /** Fields that an object may have as well. */
  properties: (schema, fields) => ({ ...schema, properties: { ...schema.properties, ...fields } }),
  /** Fields that may be missing. */
  optional: (schema, fields) => ({ ...schema, required: schema.required.filter((name) => !fields.includes(name)) }),
  /** Values that are allowed as well. */
  values: (schema, values) => ({ ...schema, enum: [...schema.enum, ...values] }),
  /** Schemas that are allowed as well. */
  also: (schema, schemas) => ({ ...schema, oneOf: [...schema.oneOf, ...schemas] }),
  /** An object of which nothing more is described. */
  open: (schema) => ({ ...schema, additionalProperties: true }),
  /** Nothing is allowed as well. */
  orNull: (schema) => ({ anyOf: [schema, { type: "null" }] }),
  /** A component that is referred to and missing. */
  component: (there, schema) => {
    if (there) throw new CommandFailed("a component that a deviation adds is there by now");
    return schema;
  },
};
