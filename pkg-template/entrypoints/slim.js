// Without the wasm: the caller brings `toolwire/toolwire.wasm`, compiled however the platform likes it.

import { ToolwireError } from "../../build/generated/toolwire/api.js";
import { useModule as useLoader } from "../runtime/instance.js";

useLoader(() => {
  throw new ToolwireError(
    "internal",
    "toolwire/slim has no wasm of its own: call useModule(module) before the rest",
    "",
  );
});

/** From now on calls run in an instance of this module. */
export function useModule(module) {
  useLoader(() => module);
}

export * from "./public.js";
