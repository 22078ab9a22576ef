// Reads the JSON Schemas of MCP servers, which are often of older drafts or of other dialects.

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Names of types in other dialects. */
const types: { readonly [name: string]: string | undefined } = {
  any: undefined,
  bool: "boolean",
  dict: "object",
  double: "number",
  float: "number",
  int: "integer",
  list: "array",
  map: "object",
  str: "string",
};
const known = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The keywords that contain schemas, by the kind of their value. */
const inOne =
  /^(?:items|contains|not|if|then|else|propertyNames|additional(?:Items|Properties)|unevaluated(?:Items|Properties))$/;
const inList = /^(?:allOf|anyOf|oneOf|prefixItems|items)$/;
const inMap = /^(?:properties|patternProperties|dependentSchemas|definitions|\$defs)$/;
/** The keywords whose value may be null. */
const values = /^(?:default|const|enum|examples?)$/;

/** A schema in the draft that the toolkit uses. What has one meaning only is rewritten. Anything else is left to the checks. */
export function readSchema(schema: unknown): Fields {
  const read = schemaOf(schema ?? {}) as Fields;
  return isObject(read) && read.type === undefined && !("$ref" in read) ? { type: "object", ...read } : read;
}

function schemaOf(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const read: Fields = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || (value === null && !values.test(keyword))) continue;
    read[keyword] = memberOf(keyword, value);
  }
  if (/draft-0?[34]/.test(String(read.$schema))) delete read.$schema;
  readTypes(read);
  readBounds(read);
  readRequired(schema, read);
  return read;
}

function memberOf(keyword: string, value: unknown): unknown {
  if (inMap.test(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, schemaOf(schema ?? {})]));
  }
  if (inList.test(keyword) && Array.isArray(value)) return value.map((schema) => schemaOf(schema ?? {}));
  return inOne.test(keyword) ? schemaOf(value) : value;
}

function readTypes(schema: Fields): void {
  const given = schema.type;
  const names = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const read = names.map((name) => {
    const lower = String(name).toLowerCase();
    return known.includes(lower) ? lower : lower in types ? types[lower] : name;
  });
  if (schema.nullable === true && read.length > 0) read.push("null");
  if (read.length === 0 || read.includes(undefined)) delete schema.type;
  else schema.type = read.length === 1 ? read[0] : [...new Set(read)];
  delete schema.nullable;
}

/** In draft-04, exclusive bounds are flags. */
function readBounds(schema: Fields): void {
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[flag] !== "boolean") continue;
    if (schema[flag] && bound in schema) {
      schema[flag] = schema[bound];
      delete schema[bound];
    } else {
      delete schema[flag];
    }
  }
  if ("divisibleBy" in schema && !("multipleOf" in schema)) {
    schema.multipleOf = schema.divisibleBy;
    delete schema.divisibleBy;
  }
}

/** In draft-03, a field itself states that it is required. */
function readRequired(schema: Fields, read: Fields): void {
  if (typeof read.required === "boolean") delete read.required;
  if (!isObject(schema.properties)) return;
  const fields = Object.entries(schema.properties);
  const required = fields.filter(([, field]) => isObject(field) && field.required === true).map(([name]) => name);
  if (required.length === 0) return;
  read.required = [...new Set([...(Array.isArray(read.required) ? read.required : []), ...required])];
}
