// Converts OpenAPI schemas (3.1, with remnants of 3.0) to one JSON Schema (2020-12) that rejects unknown fields.
//
// The schema of an object is closed if it is the only one. If several schemas describe one object (allOf, or properties beside a
// union), they stay open and their combination is closed. A component can therefore exist in both forms.

import { discriminated } from "./union.mjs";

const kept = new Set([
  ...["type", "enum", "const", "format", "pattern", "required", "multipleOf", "uniqueItems"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"],
  ...["minItems", "maxItems", "minProperties", "maxProperties", "propertyNames"],
]);
const ignored =
  /^(x-.*|\$comment|\$recursiveAnchor|title|description|default|examples?|deprecated|discriminator|nullable|readOnly|writeOnly|externalDocs)$/;
const structural = new Set(["$ref", "properties", "items", "additionalProperties", "allOf", "anyOf", "oneOf"]);

/** The schema of the component `root`, with all components that it refers to. */
export function closedSchema(components, root) {
  const $defs = {};
  const waiting = [];
  const refer = (name, open) => {
    const key = open ? `${name}~open` : name;
    if (!Object.hasOwn($defs, key)) {
      $defs[key] = true;
      waiting.push({ name, key, open });
    }
    return { $ref: `#/$defs/${key.replaceAll("~", "~0").replaceAll("/", "~1")}` };
  };
  const whole = refer(root, false);
  while (waiting.length > 0) {
    const { name, key, open } = waiting.pop();
    $defs[key] = new Closer(components, refer).close(components[name], open);
  }
  return { ...whole, $defs };
}

export function componentName(ref) {
  return ref.replace(/^#\/components\/schemas\//, "");
}

class Closer {
  constructor(components, refer) {
    this.components = components;
    this.refer = refer;
  }

  close(schema, open = false) {
    if (typeof schema === "boolean") return schema;
    const unknown = Object.keys(schema).find((key) => !kept.has(key) && !ignored.test(key) && !structural.has(key));
    if (unknown) throw new Error(`a schema keyword that this check does not know: ${unknown}`);
    const described = this.described(schema, open);
    return schema.nullable ? orNull(described, schema) : described;
  }

  described(schema, open) {
    const { $ref, properties, items, additionalProperties, allOf } = schema;
    const union = schema.anyOf ?? schema.oneOf;
    const together = allOf !== undefined || (union !== undefined && (properties !== undefined || $ref !== undefined));
    const result = Object.fromEntries(Object.entries(schema).filter(([key]) => kept.has(key)));
    const inner = open || together;
    if ($ref) Object.assign(result, this.refer(componentName($ref), inner));
    if (properties)
      Object.assign(result, { type: "object", properties: mapped(properties, (field) => this.close(field)) });
    if (items) result.items = this.close(items);
    if (allOf) result.allOf = allOf.map((part) => this.close(part, true));
    if (union) Object.assign(result, this.union(union, inner, result));
    if (isObject(additionalProperties)) result.additionalProperties = this.close(additionalProperties);
    else if (additionalProperties === true) result.additionalProperties = true;
    else if (!open && together) result.unevaluatedProperties = false;
    else if (!open && properties) result.additionalProperties = false;
    return result;
  }

  /** `oneOf` is treated as `anyOf`, because it does not matter whether a second branch accepts the value too. */
  union(branches, open, beside) {
    const closed = discriminated(branches, this.components, (branch) => this.close(branch, open));
    if (beside.allOf && closed.allOf) return { allOf: [...beside.allOf, closed] };
    return closed;
  }
}

/** Adds null as a type if that is sufficient, so that an error does not also state that the value is not null. */
function orNull(described, { enum: values, $ref, allOf }) {
  if (described.type === undefined || values || $ref || allOf) return { anyOf: [described, { type: "null" }] };
  return { ...described, type: [described.type, "null"].flat() };
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}
