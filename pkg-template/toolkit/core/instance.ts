// The wasm instance of the toolkit.

import { createGlue } from "../../../build/generated/toolkit/glue.js";
import { coreOf } from "../../core/instance.js";
import { ToolkitError, type ToolkitErrorCode } from "../errors.js";

export type Exported = ReturnType<typeof createGlue>["exported"];

const core = coreOf<Exported>(
  createGlue,
  ({ code, message, path }) => new ToolkitError(code as ToolkitErrorCode, message, path ?? ""),
);

export const useModule = (load: () => WebAssembly.Module): void => core.useModule(load);
export const callCore = <Value>(call: (exported: Exported) => Value): Value => core.call(call);
