// The current instance of a wasm module. It is created by the first call, and replaced by the first call after a trap.

/** `createGlue` is what the build generates for the module; `errorOf` makes an error of a plain object. */
export function coreOf(createGlue, errorOf) {
  let loadModule;
  let module;

  const core = {
    /** What the current instance exports. Undefined before the first call and after a trap. */
    live: undefined,
    /** The glue code of the current instance, for objects that outlive a call. */
    glue: undefined,

    /** Sets the function that loads the WebAssembly.Module. Each entry point calls it. */
    useModule(load) {
      loadModule = load;
      module = core.live = core.glue = undefined;
    },

    start() {
      module ??= loadModule();
      const glue = createGlue(registryOfLiving(() => core.glue === glue));
      const { exports } = new WebAssembly.Instance(module, glue.imports);
      glue.setWasm(exports);
      exports.__wbindgen_start();
      core.glue = glue;
      // without functions of the glue, those of the wasm are called directly
      core.live = glue.exported ?? exports;
      return core.live;
    },

    /**
     * Calls the instance. Plain objects that it throws become errors. After any error of another kind, its state is unknown, so it is
     * dropped.
     */
    call(call) {
      try {
        return call(core.live ?? core.start());
      } catch (error) {
        if (!(error instanceof Error)) throw errorOf(error);
        core.live = core.glue = undefined;
        throw core.fault(error);
      }
    },

    /** Converts an error that the instance threw. After a trap or a stack overflow, the instance is dropped. */
    fault(error) {
      if (!(error instanceof WebAssembly.RuntimeError) && !isStackOverflow(error)) return error;
      core.live = core.glue = undefined;
      const message = `internal failure, please report it: ${error.message}`;
      const failure = errorOf({ code: "internal", message });
      failure.cause = error;
      return failure;
    },
  };
  return core;
}

/** Frees objects that were garbage collected, unless their instance has trapped: errors there would have no caller. */
function registryOfLiving(isAlive) {
  if (typeof FinalizationRegistry === "undefined") return undefined;
  return class extends FinalizationRegistry {
    constructor(free) {
      super((held) => isAlive() && free(held));
    }
  };
}

// A stack overflow is a RangeError, or in Firefox an InternalError. Errors of callers have other classes.
function isStackOverflow(error) {
  return /^(Range|Internal)Error$/.test(error?.name) && /call stack|too much recursion/.test(error.message);
}
