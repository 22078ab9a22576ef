// The entry point without the wasm: the caller compiles `toolwire/toolwire.wasm` as the platform requires.

import { ToolwireError } from "../../build/generated/toolwire/api.js";
import { useModule as useLoader } from "../runtime/instance.js";

useLoader(() => {
  throw new ToolwireError(
    "internal",
    "toolwire/slim does not load the wasm: call useModule(module) before anything else",
    "",
  );
});

/** Calls run in an instance of this module from now on. */
export function useModule(module) {
  useLoader(() => module);
}

export * from "./public.js";
