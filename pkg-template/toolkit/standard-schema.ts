// Standard Schemas (zod, arktype, valibot, …): their JSON Schema, and validation with their own library.

import type { Problem } from "#core";
import { ToolkitError } from "./errors.js";
import { pointer } from "./json.js";

/**
 * A Standard Schema 1.1 that both validates and provides a JSON Schema (zod 4, arktype; valibot through
 * `toStandardJsonSchema` of `@valibot/to-json-schema`).
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: { readonly input: (options: { target: string }) => Record<string, unknown> };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

/** The result of the library's validation: its output, or the problems. */
export type Validated = { output: unknown } | { problems: Problem[] };

/** In some libraries (arktype), schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}

const advices: { readonly [vendor: string]: string | undefined } = {
  valibot: "wrap it in toStandardJsonSchema of @valibot/to-json-schema",
  zod: "use zod 4.2 or later, or pass a JSON Schema",
};

/** @throws ToolkitError `invalid_schema` */
export function jsonSchemaOf(schema: StandardSchema): Record<string, unknown> {
  const { vendor, jsonSchema } = schema["~standard"];
  if (typeof jsonSchema?.input !== "function") {
    const advice =
      advices[vendor] ?? "use a version of the library that implements Standard JSON Schema, or pass a JSON Schema";
    throw new ToolkitError("invalid_schema", `the ${vendor} schema provides no JSON Schema: ${advice}`, "/parameters");
  }
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    const reason = (error as Error | undefined)?.message ?? String(error);
    const message = `the ${vendor} schema can't be represented as JSON Schema (${reason}): use types that JSON has`;
    throw new ToolkitError("invalid_schema", message, "/parameters");
  }
}

/** Validates with the library, synchronously if the library does so. */
export function validate(schema: StandardSchema, value: unknown): Validated | Promise<Validated> {
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? result.then(read) : read(result);
}

function read(result: unknown): Validated {
  const { value, issues } = result as { value?: unknown; issues?: readonly Issue[] };
  return issues === undefined ? { output: value } : { problems: issues.map(problemOf) };
}

function problemOf({ message, path = [] }: Issue): Problem {
  const keys = path.map((step) => (typeof step === "object" ? step.key : step));
  return { code: "invalid", path: pointer(keys), message: `invalid_${fieldOf(keys)}: ${message}` };
}

/** The path of a field in code notation, as in the checks of JSON Schema: `items[0].name`. */
function fieldOf(keys: readonly PropertyKey[]): string {
  const steps = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return steps.join("").replace(/^\./, "") || "value";
}
