// Unions whose branches are told apart by their JSON type or by a constant field are checked by that, so that a failure names the
// branch that was meant and not all the others.

import { componentName } from "./close.mjs";

/** The schema of a union. `close` makes the schema of a branch. */
export function discriminated(branches, components, close) {
  const flat = branches.flatMap((branch) => flattened(branch, components));
  return byType(flat, components, close) ?? { anyOf: flat.map(close) };
}

/** One case for each JSON type; undefined where a branch does not say its type. */
function byType(branches, components, close) {
  const groups = new Map();
  for (const branch of branches) {
    const { type, nullable, properties } = resolved(branch, components);
    const key = type ?? (properties && "object");
    if (typeof key !== "string" || nullable) return undefined;
    groups.set(key === "integer" ? "number" : key, [...(groups.get(key) ?? []), branch]);
  }
  const cases = [...groups].map(([type, group]) => ({
    if: { type },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    then: group.length === 1 ? close(group[0]) : (byTag(group, components, close) ?? { anyOf: group.map(close) }),
  }));
  return { type: [...groups.keys()], allOf: cases };
}

/** One case for each value of the field that tells objects apart; undefined where there is no such field. */
function byTag(objects, components, close) {
  const tag = tagOf(objects, components);
  if (tag === undefined) return undefined;
  const cases = objects.map((branch) => ({
    if: { properties: { [tag]: { enum: tagValues(branch, tag, components) } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    then: close(branch),
  }));
  const all = objects.flatMap((branch) => tagValues(branch, tag, components));
  return { required: [tag], properties: { [tag]: { enum: all } }, allOf: cases };
}

/** A branch that is itself nothing but a union is replaced by its branches. */
function flattened(branch, components) {
  const target = resolved(branch, components);
  const inner = target.anyOf ?? target.oneOf;
  if (inner === undefined || target.properties || target.allOf || target.nullable) return [branch];
  return inner.flatMap((part) => flattened(part, components));
}

/** The first field that every branch requires to be one of its own strings. */
function tagOf(objects, components) {
  const [first] = objects;
  return Object.keys(resolved(first, components).properties ?? {}).find((tag) => {
    const values = objects.map((branch) => tagValues(branch, tag, components));
    const all = values.flat();
    return values.every((own) => own?.length > 0) && new Set(all).size === all.length;
  });
}

function tagValues(branch, tag, components) {
  const { properties, required } = resolved(branch, components);
  const field = properties?.[tag] && resolved(properties[tag], components);
  if (!field || !required?.includes(tag)) return undefined;
  return field.const === undefined ? field.enum : [field.const];
}

function resolved(schema, components) {
  return schema.$ref ? resolved(components[componentName(schema.$ref)], components) : schema;
}
