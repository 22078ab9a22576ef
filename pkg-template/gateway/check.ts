// Checks a configuration: its types by the schema, and what refers to each other.

import { ToolwireError } from "#conversions";
import { nearest } from "../http/nearest.js";
import type { Simulation } from "../toolkit/send/simulation.js";
import { configSchema, type Schema } from "./schema.js";
import type { GatewayConfig } from "./types.js";

/** @throws ToolwireError with the path of the first mistake, and the nearest name for an unknown field. */
export function checkConfig(config: unknown): asserts config is GatewayConfig {
  checkValue(config, configSchema, "");
  const { upstreams, routes = [], clients, open } = config as GatewayConfig;
  const names = Object.keys(upstreams);
  for (const name of names) {
    const { simulate } = upstreams[name] as { simulate?: Partial<Simulation> };
    if (simulate !== undefined && typeof simulate?.request !== "function")
      throw wrong(
        "invalid_type",
        "expected what simulateTools of toolwire/text returns",
        `${place("/upstreams", name)}/simulate`,
      );
  }
  for (const [index, { upstream, fallback = [] }] of routes.entries()) {
    requireName(upstream, names, `/routes/${index}/upstream`);
    for (const [at, name] of fallback.entries()) requireName(name, names, `/routes/${index}/fallback/${at}`);
  }
  for (const [index, { key, keyEnv }] of (clients ?? []).entries()) {
    if (key === undefined ? keyEnv === undefined : key === "")
      throw wrong(
        "missing_field",
        "expected key, or keyEnv with the name of an environment variable",
        `/clients/${index}`,
      );
  }
  if (open || (clients ?? []).length > 0) return;
  const message =
    'without keys of clients, anybody who reaches the gateway could use it: set clients, or open to "loopback" (only this machine) or true';
  throw wrong("missing_field", message, "/clients");
}

function requireName(name: string, names: readonly string[], path: string): void {
  if (!names.includes(name))
    throw wrong("invalid_value", `there is no upstream ${quoted(name)}${hint(name, names)}`, path);
}

function checkValue(value: unknown, schema: Schema, path: string): void {
  if (schema.anyOf) {
    checkValue(value, variantOf(value, schema.anyOf, path), path);
    return;
  }
  if (schema.enum && !schema.enum.includes(value)) {
    const near = typeof value === "string" ? hint(value, schema.enum.filter(isText)) : "";
    throw wrong("invalid_value", `expected one of ${schema.enum.map(quoted).join(", ")}${near}`, path);
  }
  if (schema.type && !isOfType(value, schema.type))
    throw wrong("invalid_type", `expected ${typeNames[schema.type]}`, path);
  const { minimum, items } = schema;
  if (minimum !== undefined && !((value as number) >= minimum))
    throw wrong("invalid_value", `expected a number of at least ${minimum}`, path);
  if (items) for (const [index, item] of (value as unknown[]).entries()) checkValue(item, items, `${path}/${index}`);
  if (schema.type === "object") checkFields(value as Record<string, unknown>, schema, path);
}

function checkFields(value: Record<string, unknown>, schema: Schema, path: string): void {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  const knownFields = Object.keys(properties);
  // a misspelled name comes before the missing one that it was meant for
  const unknown = additionalProperties === false && Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (typeof unknown === "string")
    throw wrong("invalid_value", `there is no such field${hint(unknown, knownFields)}`, place(path, unknown));
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) throw wrong("missing_field", "is missing", place(path, missing));
  if (Object.keys(value).length < minProperties) throw wrong("invalid_value", "expected at least one entry", path);
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (known && field !== undefined) checkValue(field, known, place(path, name));
  }
}

/** The variant of the value's type. */
function variantOf(value: unknown, variants: readonly Schema[], path: string): Schema {
  const variant = variants.find(({ type }) => type && isOfType(value, type));
  if (variant) return variant;
  const types = variants.map(({ type }) => typeNames[type ?? "object"]).join(" or ");
  throw wrong("invalid_type", `expected ${types}`, path);
}

const typeNames = {
  object: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  boolean: "true or false",
} as const;

const place = (path: string, name: string) => `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const isText = (value: unknown): value is string => typeof value === "string";
const quoted = (value: unknown) => JSON.stringify(value);

function isOfType(value: unknown, type: NonNullable<Schema["type"]>): boolean {
  if (type === "array") return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

const wrong = (code: string, message: string, path: string) =>
  new ToolwireError(code, `${path === "" ? "" : `${path}: `}${message}`, path);

/** The known name that was probably meant. */
function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? "" : ` (did you mean ${quoted(near)}?)`;
}
