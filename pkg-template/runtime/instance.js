// The wasm instance of the conversions.

import * as standIns from "../../build/generated/toolwire/classes.js";
import { createGlue, ToolwireError } from "../../build/generated/toolwire/glue.js";
import { coreOf } from "../core/instance.js";
import { adoptClass } from "./classes.js";

export const core = coreOf(createGlue, ({ code, message }) => new ToolwireError(code, message, ""));

/** Sets the function that loads the WebAssembly.Module. Each entry point calls it. */
export const { useModule } = core;

/** The functions that create objects. Their classes are prepared on first use, because other calls don't need them. */
export function makers() {
  if (core.live === undefined) core.start();
  const { glue } = core;
  if (!glue.isAdopted) {
    const isAlive = () => core.glue === glue;
    for (const [name, standIn] of Object.entries(standIns)) adoptClass(glue.classes[name], standIn, isAlive);
    glue.isAdopted = true;
  }
  return glue.makers;
}

/** Converts an error that the instance threw. */
export function fault(error) {
  return isReentry(error) ? new ToolwireError("stream_failed", REENTRY, "") : core.fault(error);
}

const REENTRY = "the stream is busy: it was called by a getter or toJSON of what is being pushed";

/** Whether a method was called while another method of the object was running, which wasm-bindgen rejects. */
function isReentry(error) {
  return /^(recursive use of an object|attempted to take ownership of Rust value)/.test(error?.message);
}
