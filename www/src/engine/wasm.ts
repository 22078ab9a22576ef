// Fetches the package's wasm for the worker, before the worker has started.

import url from "../../../build/wasm/page.wasm.lzma?url";
import { opened } from "./fetched.ts";

let fetched: Promise<ReadableStream<Uint8Array>> | undefined;

/** The packed wasm, which is kept as it arrives until it is read. What is shown first comes first. */
export function packedWasm(): Promise<ReadableStream<Uint8Array>> {
  fetched ??= opened(url, { priority: "low" }).then(({ body }) =>
    (body ?? new Blob().stream()).pipeThrough(
      new TransformStream({}, undefined, new CountQueuingStrategy({ highWaterMark: 10_000 })),
    ),
  );
  return fetched;
}
