// The running wasm instance: made on the first call, replaced on the first call after a trap.

import { createGlue } from "../../../build/generated/toolkit/glue.js";
import { ToolkitError, type ToolkitErrorCode } from "../errors.js";

export type Exported = ReturnType<typeof createGlue>["exported"];

let loadModule: () => WebAssembly.Module;
let module: WebAssembly.Module | undefined;
let live: Exported | undefined;

/** Each entry point states where its WebAssembly.Module comes from. */
export function useModule(load: () => WebAssembly.Module): void {
  loadModule = load;
  module = undefined;
  live = undefined;
}

/** What the running instance exports. */
export function instance(): Exported {
  live ??= start();
  return live;
}

function start(): Exported {
  module ??= loadModule();
  const started = { exported: undefined as Exported | undefined };
  const { imports, exported, setWasm } = createGlue(registryOfLiving(() => live === started.exported));
  const { exports } = new WebAssembly.Instance(module, imports);
  setWasm(exports);
  (exports.__wbindgen_start as () => void)();
  started.exported = exported;
  return exported;
}

/** Frees forgotten objects, but not in an instance that trapped. */
function registryOfLiving(isAlive: () => boolean): typeof FinalizationRegistry | undefined {
  if (typeof FinalizationRegistry === "undefined") return undefined;
  return class<T> extends FinalizationRegistry<T> {
    constructor(free: (held: T) => void) {
      super((held) => {
        if (isAlive()) free(held);
      });
    }
  };
}

/**
 * Calls the instance. Its failures, which are plain objects, become `ToolkitError`s. After any other error the state of the instance
 * is unknown, so it is dropped: at once, as at the end of the stack no further call may succeed.
 */
export function callCore<Value>(call: (core: Exported) => Value): Value {
  try {
    return call(instance());
  } catch (error) {
    if (error instanceof Error) live = undefined;
    throw failureOf(error);
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof WebAssembly.RuntimeError || isStackOverflow(error)) {
    const failure = new ToolkitError("internal", `internal failure, please report it: ${(error as Error).message}`);
    failure.cause = error;
    return failure;
  }
  if (error instanceof Error) return error;
  const { code, path, message } = error as { code: ToolkitErrorCode; path?: string; message: string };
  return new ToolkitError(code, message, path ?? "");
}

/** Engines have no class of their own for it: it is a RangeError, in Firefox an InternalError. */
function isStackOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^(Range|Internal)Error$/.test(error.name) && /call stack|too much recursion/.test(error.message);
}
