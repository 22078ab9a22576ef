// Throws the errors of conversions, with a hint if the input appears to be something else.

import { takeFailure, taskOf } from "../../build/generated/toolwire/glue.js";
import { explain } from "../formats/hints.js";

/** Throws the error of the last call, if it failed. `input` is the value to convert. */
export function throwFailure(input) {
  const failure = takeFailure();
  if (failure === undefined) return undefined;
  const { error } = failure;
  const task = taskOf(error);
  if (task !== undefined) explain(error, task, input);
  throw error;
}
