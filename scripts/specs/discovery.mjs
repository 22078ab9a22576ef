// Converts a Google API discovery document to OpenAPI components.

/** Discovery documents state only in the descriptions whether a field is required. */
export function componentsOfDiscovery({ schemas }) {
  return mapped(schemas, (schema) => component(schema));
}

function component(schema) {
  const { $ref, type, properties, items, additionalProperties, enum: values, format } = schema;
  if ($ref) return { $ref: `#/components/schemas/${$ref}` };
  if (type === "any") return {};
  const result = { type };
  if (values) result.enum = values;
  if (format) result.format = format;
  if (items) result.items = component(items);
  if (additionalProperties) result.additionalProperties = component(additionalProperties);
  if (type === "object" && !additionalProperties) result.properties = mapped(properties ?? {}, component);
  const required = Object.entries(properties ?? {}).filter(([, property]) => /^Required\b/.test(property.description));
  if (required.length > 0) result.required = required.map(([name]) => name);
  return result;
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
