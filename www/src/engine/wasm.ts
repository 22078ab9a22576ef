// Fetches the package's wasm for the worker, before the worker has started.

import url from "../../../build/wasm/page.wasm.lzma?url";
import { bytesOf } from "./fetched.ts";

let fetched: Promise<ArrayBuffer> | undefined;

/** The packed wasm. What is shown first comes first. */
export function packedWasm(): Promise<ArrayBuffer> {
  fetched ??= bytesOf(url, { priority: "low" });
  return fetched;
}
