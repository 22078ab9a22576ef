// If the branches of a union differ in their JSON type or in a constant field, validates only the branch that matches it, so that errors
// are about the intended branch.

import { componentName } from "./close.mjs";

/** The schema of a union. `close` creates the schema of a branch. */
export function discriminated(branches, components, close) {
  const flat = branches.flatMap((branch) => flattened(branch, components));
  return byType(flat, components, close) ?? { anyOf: flat.map(close) };
}

/** One case for each JSON type; undefined if a branch does not state its type. */
function byType(branches, components, close) {
  const groups = new Map();
  for (const branch of branches) {
    const key = typeOf(branch, components);
    if (typeof key !== "string" || resolved(branch, components).nullable) return undefined;
    add(groups, key === "integer" ? "number" : key, branch);
  }
  const cases = [...groups].map(([type, group]) => ({
    if: { type },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    then: oneOf(group, components, close),
  }));
  return { type: [...groups.keys()], allOf: cases };
}

function oneOf(group, components, close) {
  return group.length === 1 ? close(group[0]) : (byTag(group, components, close) ?? { anyOf: group.map(close) });
}

/** One case for each value of the discriminating field; undefined if there is no such field. */
function byTag(objects, components, close) {
  const [tag, groups] = tagOf(objects, components);
  if (tag === undefined) return undefined;
  const cases = [...groups].map(([value, group]) => ({
    if: value === absent ? { not: { required: [tag] } } : { required: [tag], properties: { [tag]: { const: value } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    then: oneOf(group, components, close),
  }));
  const values = [...groups.keys()].filter((value) => value !== absent);
  return { required: groups.has(absent) ? [] : [tag], properties: { [tag]: { enum: values } }, allOf: cases };
}

/** Replaces branches that are unions themselves by their branches. */
function flattened(branch, components) {
  const target = resolved(branch, components);
  const inner = target.anyOf ?? target.oneOf;
  if (inner === undefined || target.properties || target.allOf || target.nullable) return [branch];
  return inner.flatMap((part) => flattened(part, components));
}

const absent = Symbol("a field that may be missing");

/** The field with the most distinct constants, and the branches by its values; undefined if no field discriminates. */
function tagOf(objects, components) {
  const fields = Object.keys(fieldsOf(objects[0], components).properties);
  const tags = fields.flatMap((tag) => {
    const groups = new Map();
    for (const branch of objects) {
      const values = tagValues(branch, tag, components);
      if (values === undefined) return [];
      for (const value of values) add(groups, value, branch);
    }
    const largest = Math.max(...[...groups.values()].map(({ length }) => length));
    return largest < objects.length ? [{ tag, groups, largest }] : [];
  });
  const best = tags.sort((a, b) => a.largest - b.largest)[0];
  return best ? [best.tag, best.groups] : [];
}

/** The constants of a field; undefined if it can have any value. */
function tagValues(branch, tag, components) {
  const { properties, required } = fieldsOf(branch, components);
  const values = properties[tag] && valuesOf(properties[tag], components);
  return required.includes(tag) ? values : values?.concat(absent);
}

function valuesOf(schema, components) {
  const { const: only, enum: values, anyOf, oneOf, type } = resolved(schema, components);
  if (only !== undefined) return [only];
  if (type === "null") return [null];
  const parts = (anyOf ?? oneOf)?.map((part) => valuesOf(part, components));
  return parts?.every((part) => part !== undefined) ? parts.flat() : values;
}

/** The fields of an object and its required fields, including those of its parts. */
function fieldsOf(schema, components) {
  const { properties = {}, required = [], allOf = [] } = resolved(schema, components);
  const parts = allOf.map((part) => fieldsOf(part, components));
  return {
    properties: Object.assign({}, properties, ...parts.map((part) => part.properties)),
    required: [...required, ...parts.flatMap((part) => part.required)],
  };
}

function typeOf(schema, components) {
  const { type, properties, allOf = [] } = resolved(schema, components);
  return type ?? (properties ? "object" : allOf.map((part) => typeOf(part, components)).find(Boolean));
}

function add(groups, key, branch) {
  groups.set(key, [...(groups.get(key) ?? []), branch]);
}

function resolved(schema, components) {
  return schema.$ref ? resolved(components[componentName(schema.$ref)], components) : schema;
}
