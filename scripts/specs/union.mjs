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

/** One case for each value of the field that tells objects apart; undefined where there is no such field. */
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

/** A branch that is itself nothing but a union is replaced by its branches. */
function flattened(branch, components) {
  const target = resolved(branch, components);
  const inner = target.anyOf ?? target.oneOf;
  if (inner === undefined || target.properties || target.allOf || target.nullable) return [branch];
  return inner.flatMap((part) => flattened(part, components));
}

const absent = Symbol("a field that may be missing");

/** The field that tells the branches apart best, and the branches by its values; nothing where no field does. */
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

/** Undefined where the field may be anything. */
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

/** The fields of an object and which of them must be there, with those of its parts. */
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
