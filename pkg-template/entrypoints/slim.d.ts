export * from "./index.js";

/**
 * Gives the wasm of this entry point, which has none of its own: the compiled `toolwire/toolwire.wasm` of the same version.
 * To be called once, before everything else; calls without it throw a `ToolwireError` with the code `internal`.
 *
 * ```js
 * import { toOpenAI, useModule } from "toolwire/slim";
 * useModule(await WebAssembly.compileStreaming(fetch("/toolwire.wasm")));
 * ```
 *
 * @param module - The compiled module.
 */
export function useModule(module: WebAssembly.Module): void;
