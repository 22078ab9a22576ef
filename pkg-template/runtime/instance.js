// The running wasm instance: made on the first call, replaced on the first call after a trap.

import * as standIns from "../../build/generated/toolwire/classes.js";
import { createGlue, ToolwireError } from "../../build/generated/toolwire/glue.js";
import { adoptClass } from "./classes.js";

let loadModule;
let module;
/** Of the running instance, for objects that outlive a call. */
let glue;

/** What the running instance exports; undefined before the first call and after a trap. */
export let live;

/** Each entry point says where its WebAssembly.Module comes from. */
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

/** The functions that make objects. Their classes are made ready only here, as no other call needs them. */
export function makers() {
  if (live === undefined) start();
  if (!glue.isAdopted) {
    for (const [name, standIn] of Object.entries(standIns)) adoptClass(glue.classes[name], standIn, glue.isAlive);
    glue.isAdopted = true;
  }
  return glue.makers;
}

/** Frees what was forgotten, but not in a dead instance: whatever went wrong there would go wrong in nobody's call. */
function registryOfLiving(isAlive) {
  if (typeof FinalizationRegistry === "undefined") return undefined;
  return class extends FinalizationRegistry {
    constructor(free) {
      super((pointer) => isAlive() && free(pointer));
    }
  };
}

/** The error to throw for one that came out of the instance. After a trap its state is unknown, so it is dropped. */
export function fault(error) {
  if (isReentry(error)) return new ToolwireError("stream_failed", REENTRY, "");
  if (!(error instanceof WebAssembly.RuntimeError) && !isStackOverflow(error)) return error;
  live = undefined;
  const failure = new ToolwireError("internal", `internal failure, please report it: ${error.message}`, "");
  failure.cause = error;
  return failure;
}

// It has no class of its own: a RangeError, in Firefox an InternalError. Errors of the caller's are of other classes.
function isStackOverflow(error) {
  return /^(Range|Internal)Error$/.test(error?.name) && /call stack|too much recursion/.test(error.message);
}

const REENTRY = "the stream is busy: it was called by a getter or toJSON of what is being pushed";

/** Whether a method of an object was called while another one runs: wasm-bindgen refuses it in its own words. */
function isReentry(error) {
  return /^(recursive use of an object|attempted to take ownership of Rust value)/.test(error?.message);
}
