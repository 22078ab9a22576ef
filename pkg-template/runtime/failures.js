// What the exported functions throw: the error of the conversion, with a hint where the input looks like something else.

import { takeFailure, taskOf } from "../../build/generated/toolwire/glue.js";
import { explain } from "../formats/hints.js";

/** Throws what the last call failed with, if it did; `input` is what it was to convert. */
export function throwFailure(input) {
  const failure = takeFailure();
  if (failure === undefined) return undefined;
  const { error } = failure;
  const task = taskOf(error);
  if (task !== undefined) explain(error, task, input);
  throw error;
}
