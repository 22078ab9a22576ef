// The package, with its wasm as a file of its own: a browser compiles it while it arrives. Elsewhere in the page `toolwire` means this module.

import wasm from "../../../build/toolwire_bg.wasm?url";
import { useModule } from "../../../pkg-template/runtime/instance.js";

export * from "../../../pkg-template/entrypoints/public.js";

/** To be awaited before the first call. */
export async function load(): Promise<void> {
  const module = await compile();
  useModule(() => module);
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${wasm}: ${response.status}`);
  // A server that does not know the type of wasm files is no reason to fail.
  if (response.headers.get("content-type") !== "application/wasm")
    return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}
