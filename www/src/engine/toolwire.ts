// The package with a separate wasm file. In the page's code, `toolwire` is an alias of this module.

import wasm from "../../../build/wasm/toolwire.wasm.lzma?url";
import { useModule } from "../../../pkg-template/runtime/instance.js";
import { unpack } from "./unpack.ts";

export * from "../../../pkg-template/entrypoints/public.js";

/** Must be awaited before the first call. */
export async function load(): Promise<void> {
  const module = await fetchWasm(wasm);
  useModule(() => module);
}

export async function fetchWasm(url: string): Promise<WebAssembly.Module> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await WebAssembly.compile(unpack(await response.arrayBuffer()));
  } catch (error) {
    throw new Error(`${url}: ${(error as Error).message}`, { cause: error });
  }
}
