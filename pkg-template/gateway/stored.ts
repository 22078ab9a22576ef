// Requests that refer to what is stored elsewhere.

import type { Dialect, Warning } from "toolwire";
import { Failure } from "./failure.js";

/** @throws Failure if a client of Responses relies on state that OpenAI stores, although the upstream is another provider. */
export function refusesStored(from: Dialect, to: Dialect, dropped: readonly Warning[], body: Uint8Array): void {
  if (from !== "openai-responses" || from === to || !isStoredElsewhere(dropped, body)) return;
  const message = "nothing is stored here: send the whole conversation (store: false)";
  throw new Failure(400, "unsupported", message);
}

function isStoredElsewhere(dropped: readonly Warning[], body: Uint8Array): boolean {
  if (dropped.some(({ path }) => path === "/previous_response_id" || path === "/conversation")) return true;
  const items = dropped.filter(({ code, path }) => code === "native_dropped" && path.startsWith("/input/"));
  if (items.length === 0) return false;
  const { input } = JSON.parse(new TextDecoder().decode(body));
  return items.some(({ path }) => input[Number(path.split("/")[2])]?.type === "item_reference");
}
