// The running wasm instance: made on the first call, replaced on the first call after a trap.

import * as standIns from "../../build/generated/classes.js";
import { createGlue, ToolwireError } from "../../build/generated/glue.js";
import { adoptClass } from "./classes.js";

let loadModule;
let module;
/** Makes the classes of the running instance ready; undefined once they are. */
let adoptClasses;

/** The functions of the running instance; undefined before the first call and after a trap. */
export let live;

/** Each entry point says where its WebAssembly.Module comes from. */
export function useModule(load) {
  loadModule = load;
  module = undefined;
  live = undefined;
}

export function start() {
  module ??= loadModule();
  const { imports, api, classes, setWasm } = createGlue(registryOfLiving(() => live === api));
  adoptClasses = () => {
    for (const [name, standIn] of Object.entries(standIns)) adoptClass(classes[name], standIn, () => live === api);
  };
  const { exports } = new WebAssembly.Instance(module, imports);
  setWasm(exports);
  exports.__wbindgen_start();
  live = api;
  return api;
}

/** The same for functions that give objects of its classes, which no other call has to wait for. */
export function startClasses() {
  const api = live ?? start();
  adoptClasses?.();
  adoptClasses = undefined;
  return api;
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
