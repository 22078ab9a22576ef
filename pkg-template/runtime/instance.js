// The current wasm instance. It is created by the first call, and replaced by the first call after a trap.

import * as standIns from "../../build/generated/toolwire/classes.js";
import { createGlue, ToolwireError } from "../../build/generated/toolwire/glue.js";
import { adoptClass } from "./classes.js";

let loadModule;
let module;
/** The glue code of the current instance, for objects that outlive a call. */
let glue;

/** The exports of the current instance. Undefined before the first call and after a trap. */
export let live;

/** Sets the function that loads the WebAssembly.Module. Each entry point calls it. */
export function useModule(load) {
  loadModule = load;
  module = undefined;
  live = undefined;
}

export function start() {
  module ??= loadModule();
  const isAlive = () => live === exports;
  const { imports, makers, classes, setWasm } = createGlue(registryOfLiving(isAlive));
  const { exports } = new WebAssembly.Instance(module, imports);
  setWasm(exports);
  exports.__wbindgen_start();
  live = exports;
  glue = { makers, classes, isAlive, isAdopted: false };
  return exports;
}

/** The functions that create objects. Their classes are prepared on first use, because other calls don't need them. */
export function makers() {
  if (live === undefined) start();
  if (!glue.isAdopted) {
    for (const [name, standIn] of Object.entries(standIns)) adoptClass(glue.classes[name], standIn, glue.isAlive);
    glue.isAdopted = true;
  }
  return glue.makers;
}

/** Frees objects that were garbage collected, unless their instance has trapped: errors there would have no caller. */
function registryOfLiving(isAlive) {
  if (typeof FinalizationRegistry === "undefined") return undefined;
  return class extends FinalizationRegistry {
    constructor(free) {
      super((pointer) => isAlive() && free(pointer));
    }
  };
}

/** Converts an error that the instance threw. After a trap, the state is unknown, so the instance is dropped. */
export function fault(error) {
  if (isReentry(error)) return new ToolwireError("stream_failed", REENTRY, "");
  if (!(error instanceof WebAssembly.RuntimeError) && !isStackOverflow(error)) return error;
  live = undefined;
  const failure = new ToolwireError("internal", `internal failure, please report it: ${error.message}`, "");
  failure.cause = error;
  return failure;
}

// A stack overflow is a RangeError, or in Firefox an InternalError. Errors of callers have other classes.
function isStackOverflow(error) {
  return /^(Range|Internal)Error$/.test(error?.name) && /call stack|too much recursion/.test(error.message);
}

const REENTRY = "the stream is busy: it was called by a getter or toJSON of what is being pushed";

/** Whether a method was called while another method of the object was running, which wasm-bindgen rejects. */
function isReentry(error) {
  return /^(recursive use of an object|attempted to take ownership of Rust value)/.test(error?.message);
}
