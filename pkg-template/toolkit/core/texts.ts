// Values as the JSON text that the wasm instance reads.

import type { CheckedValue, Problem } from "#core";
import { ToolkitError } from "../errors.js";

/** The text of a value: that of null if it has none. Throws what the engine throws for cycles and bigints. */
export const textOf = (value: unknown): string => JSON.stringify(value) ?? "null";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "it can't be read");

/** The text of what the programmer wrote: that of an empty object if it is undefined. */
export function optionsText(what: string, given: unknown): string {
  try {
    return textOf(given === undefined ? {} : given);
  } catch (error) {
    throw new ToolkitError("invalid_options", `${what} can't be read: ${messageOf(error)}`);
  }
}

/** The problem of a value that has no JSON text. */
export function unreadable(error: unknown): Problem {
  const message = `invalid_value: the value can't be represented as JSON: ${messageOf(error)}`;
  return { code: "invalid", path: "", message };
}

/** Checks a value and returns the result. A value that was not changed is the object passed in. */
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
