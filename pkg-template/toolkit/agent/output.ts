// Reads the final response as a value of a schema.

import type { ChatRequest, JsonSchema } from "toolwire";
import type { Problem } from "#core";
import { ToolkitError } from "../errors.js";
import { isStandardSchema, jsonSchemaOf, type StandardSchema, validate } from "../standard-schema.js";
import { checkValue, repairJson } from "../values.js";

export interface ReadOutput {
  value: unknown;
  problems: Problem[];
}

export class OutputCheck {
  readonly schema: JsonSchema;
  readonly #library: StandardSchema | undefined;

  constructor(output: JsonSchema | StandardSchema) {
    this.#library = isStandardSchema(output) ? output : undefined;
    this.schema = isStandardSchema(output) ? jsonSchemaOf(output) : output;
  }

  get format(): NonNullable<ChatRequest["responseFormat"]> {
    return { type: "jsonSchema", name: "output", schema: this.schema };
  }

  /** Parses the value of a response. Invalid JSON is repaired, and values that do not follow the schema are coerced. */
  async read(text: string): Promise<ReadOutput> {
    const parsed = this.#parse(text);
    if (parsed.problems.length > 0) return parsed;
    const checked = checkValue(this.schema, parsed.value);
    if (!this.#library) return checked;
    const asGiven = await validate(this.#library, parsed.value);
    if ("output" in asGiven) return { value: asGiven.output, problems: [] };
    const coerced = await validate(this.#library, checked.value);
    return "output" in coerced
      ? { value: coerced.output, problems: [] }
      : { value: undefined, problems: coerced.problems };
  }

  #parse(text: string): ReadOutput {
    try {
      return { value: JSON.parse(text), problems: [] };
    } catch {
      return this.#repaired(text);
    }
  }

  #repaired(text: string): ReadOutput {
    try {
      return { value: repairJson(text, { schema: this.schema }).value, problems: [] };
    } catch (error) {
      if (!(error instanceof ToolkitError)) throw error;
      return { value: undefined, problems: [{ code: "invalid_json", path: "", message: "The response is not JSON." }] };
    }
  }
}
