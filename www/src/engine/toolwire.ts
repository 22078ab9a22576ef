// The package with a separate wasm file. In the page's code, `toolwire` is an alias of this module.

import { useModule } from "../../../pkg-template/runtime/instance.js";
import { opened } from "./fetched.ts";
import { unpack, unpacked } from "./unpack.ts";

export * from "../../../pkg-template/entrypoints/public.js";

/** Takes the packed wasm, and decompresses and compiles it while it arrives. Must be awaited before the first call. */
export async function load(packed: ReadableStream<Uint8Array>): Promise<void> {
  const module = await named("page.wasm.lzma", async () => {
    let failure: unknown;
    const parts = packed.pipeThrough(unpacked()).getReader();
    const body = new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await parts.read();
          if (done) controller.close();
          else if (value.length > 0) controller.enqueue(value);
        } catch (error) {
          failure = error;
          controller.error(error);
        }
      },
    });
    const response = new Response(body, { headers: { "content-type": "application/wasm" } });
    return WebAssembly.compileStreaming(response).catch((error) => {
      throw failure ?? error;
    });
  });
  useModule(() => module);
}

/** The wasm of another entry point of the package. */
export async function fetchWasm(url: string): Promise<WebAssembly.Module> {
  const packed = await (await opened(url)).arrayBuffer();
  return named(url, () => WebAssembly.compile(unpack(packed)));
}

async function named<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
