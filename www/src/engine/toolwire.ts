// The package with a separate wasm file. In the page's code, `toolwire` is an alias of this module.

import wasm from "../../../build/wasm/toolwire.wasm.lzma?url";
import { useModule } from "../../../pkg-template/runtime/instance.js";
import { unpack } from "./unpack.ts";

export * from "../../../pkg-template/entrypoints/public.js";

/** Must be awaited before the first call. */
export async function load(): Promise<void> {
  try {
    const response = await fetch(wasm);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const module = await WebAssembly.compile(unpack(await response.arrayBuffer()));
    useModule(() => module);
  } catch (error) {
    throw new Error(`${wasm}: ${(error as Error).message}`, { cause: error });
  }
}
