// The package with a separate wasm file. In the page's code, `toolwire` is an alias of this module.

import { useModule } from "../../../pkg-template/runtime/instance.js";
import { bytesOf } from "./fetched.ts";
import { unpack } from "./unpack.ts";

export * from "../../../pkg-template/entrypoints/public.js";

/** Takes the packed wasm. Must be awaited before the first call. */
export async function load(packed: ArrayBuffer): Promise<void> {
  const module = await compiled(packed, "page.wasm.lzma");
  useModule(() => module);
}

/** The wasm of another entry point of the package. */
export const fetchWasm = async (url: string) => compiled(await bytesOf(url), url);

async function compiled(packed: ArrayBuffer, name: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(unpack(packed));
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
