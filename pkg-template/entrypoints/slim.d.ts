export * from "./index.js";

/**
 * Sets the compiled wasm, which this entry point does not contain: `toolwire/toolwire.wasm` of the same version. Call it once, before
 * any other function. Without it, calls throw a `ToolwireError` with the code `internal`.
 *
 * ```js
 * import { toOpenAI, useModule } from "toolwire/slim";
 * useModule(await WebAssembly.compileStreaming(fetch("/toolwire.wasm")));
 * ```
 *
 * @param module - The compiled module.
 */
export function useModule(module: WebAssembly.Module): void;
