// Without the wasm: the caller brings `toolwire/toolwire.wasm`, compiled however the platform likes it.

import { ToolwireError } from "../../build/generated/toolwire/api.js";
import { useModule as useLoader } from "../runtime/instance.js";

useLoader(() => {
  throw new ToolwireError(
    "internal",
    "toolwire/slim does not load the wasm: call useModule(module) before anything else",
    "",
  );
});

/** From now on calls run in an instance of this module. */
export function useModule(module) {
  useLoader(() => module);
}

export * from "./public.js";
