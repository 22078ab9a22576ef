// The wasm instance of the text formats.

import { type ErrorCode, ToolwireError } from "toolwire";
import { createGlue } from "../../../build/generated/text/glue.js";
import { coreOf } from "../../core/instance.js";

export type Exported = ReturnType<typeof createGlue>["exported"];

const core = coreOf<Exported>(
  createGlue,
  ({ code = "invalid_value", message, path }) => new ToolwireError(code as ErrorCode, message, path ?? ""),
);

export const useModule = (load: () => WebAssembly.Module): void => core.useModule(load);
export const callCore = <Value>(call: (exported: Exported) => Value): Value => core.call(call);
