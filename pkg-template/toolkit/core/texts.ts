// Serializes values to JSON for the wasm instance.

import type { CheckedValue, Problem } from "#core";
import { ToolkitError } from "../errors.js";

/** The JSON text of a value, or `null` if it has none. Throws the engine's error for cycles and bigints. */
export const textOf = (value: unknown): string => JSON.stringify(value) ?? "null";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "it can't be read");

/** The JSON text of options or definitions. Undefined becomes an empty object. */
export function optionsText(what: string, given: unknown): string {
  try {
    return textOf(given === undefined ? {} : given);
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
export function checkedValue(value: unknown, check: (text: string) => string): CheckedValue {
  let text: string;
  try {
    text = textOf(value);
  } catch (error) {
    return { value, problems: [unreadable(error)], changes: [] };
  }
  const checked = check(text);
  return checked === "" ? { value, problems: [], changes: [] } : { value, ...JSON.parse(checked) };
}
