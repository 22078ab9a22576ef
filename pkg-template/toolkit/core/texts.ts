// Serializes values to JSON for the wasm instance.

import type { CheckedValue, Findings, Json, Problem } from "#core";
import { ToolkitError } from "../errors.js";

/** The JSON text of a value, or `null` if it has none. Throws the engine's error for cycles and bigints. */
export const textOf = <Value>(value: Value): Json<Value> => (JSON.stringify(value) ?? "null") as Json<Value>;

/** The value of a JSON text. */
export const parsed = <Value>(text: Json<Value>): Value => JSON.parse(text);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "it can't be read");

/** The JSON text of options or definitions. Undefined becomes an empty object. */
export function optionsText<Options>(what: string, given: Options): Json<NonNullable<Options>> {
  try {
    return textOf((given === undefined ? {} : given) as NonNullable<Options>);
  } catch (error) {
    throw new ToolkitError("invalid_options", `${what} can't be read: ${messageOf(error)}`);
  }
}

/** The problem for a value that can't be serialized. */
export function unreadable(error: unknown): Problem {
  const message = `invalid_value: the value can't be represented as JSON: ${messageOf(error)}`;
  return { code: "invalid", path: "", message };
}

/** Checks a value and returns the result. If nothing was changed, the result contains the object that was passed in. */
export function checkedValue(value: unknown, check: (text: Json<unknown>) => Json<Findings> | undefined): CheckedValue {
  let text: Json<unknown>;
  try {
    text = textOf(value);
  } catch (error) {
    return { value, problems: [unreadable(error)], changes: [] };
  }
  const findings = check(text);
  return findings === undefined ? { value, problems: [], changes: [] } : { value, ...parsed(findings) };
}
