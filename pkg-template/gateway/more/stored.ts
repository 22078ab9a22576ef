// Requests that refer to what is stored elsewhere, and the store of the gateway, which has responses of OpenAI's Responses API.

import type { Warning } from "toolwire";
import type { FailureFacts } from "../failure.js";
import type { ResponseStore } from "../types.js";

/**
 * Errors that clients recover from, by the place of what the upstream can't resolve: after this one, Anthropic's SDKs send the whole conversation
 * (`ThreadNotFoundError` of `@anthropic-ai/sdk` 1.14).
 */
const recoverable: { readonly [path: string]: FailureFacts & { status?: number } } = {
  "/thread": {
    status: 404,
    metadata: { anthropic: { error: { type: "not_found_error", details: { error_code: "thread_not_found" } } } },
  },
};

/** What a client learns of a request that the upstream can't serve. */
export const unresolved = (path: string) => recoverable[path] ?? { code: "unsupported" };

const decoder = new TextDecoder();
const encoder = new TextEncoder();

type Item = Record<string, any>;

/** What is kept of a response: the items of its request that its predecessor lacks, and its own. */
interface Kept {
  previous?: string;
  items: Item[];
}

/** Reads the store. It throws if there is nothing with the id. */
type Find = (id: string) => Promise<Uint8Array>;

/** The body with everything that it refers to. */
export async function withStored(body: Uint8Array, find: Find): Promise<Uint8Array> {
  const text = decoder.decode(body);
  if (!/"(?:previous_response_id|item_reference)"/.test(text)) return body;
  const { previous_response_id: previous, ...request } = JSON.parse(text);
  const own = await Promise.all(itemsOf(request.input).map((item) => referred(item, find)));
  const before = typeof previous === "string" ? await chainOf(previous, find) : [];
  return encoder.encode(JSON.stringify({ ...request, input: [...before, ...own] }));
}

async function referred(item: Item, find: Find): Promise<Item> {
  return item?.type === "item_reference" ? parsed(await find(String(item.id))) : item;
}

async function chainOf(last: string, find: Find): Promise<Item[]> {
  const parts = new Map<string, Item[]>();
  // a server that gives two responses one id would make a circle
  for (let id: string | undefined = last; id !== undefined && !parts.has(id); ) {
    const kept: Kept = parsed(await find(id));
    parts.set(id, kept.items);
    id = kept.previous;
  }
  return [...parts.values()].reverse().flat();
}

const parsed = (body: Uint8Array) => JSON.parse(decoder.decode(body));

/** Keeps a response, unless the client declines. `delivered` is its body, or its stream. */
export async function keep(body: Uint8Array, delivered: readonly Uint8Array[], store: ResponseStore): Promise<void> {
  const { previous_response_id: previous, input, store: wanted } = parsed(body);
  const response = responseIn(delivered.map((piece) => decoder.decode(piece, { stream: true })).join(""));
  if (wanted === false || typeof response?.id !== "string") return;
  const output: Item[] = response.output ?? [];
  const kept: Kept = { ...(typeof previous === "string" && { previous }), items: [...itemsOf(input), ...output] };
  await store.put(response.id, encoder.encode(JSON.stringify(kept)));
  for (const item of output) {
    if (typeof item.id === "string") await store.put(item.id, encoder.encode(JSON.stringify(item)));
  }
}

function itemsOf(input: unknown): Item[] {
  if (Array.isArray(input)) return input;
  return typeof input === "string" ? [{ role: "user", content: input }] : [];
}

/** The response of a body, or of the last event of a stream. */
function responseIn(text: string): { id?: unknown; output?: Item[] } | undefined {
  if (text.startsWith("{")) return JSON.parse(text);
  const last = /^data: (\{"type":"response\.completed".*)$/m.exec(text);
  return last?.[1] === undefined ? undefined : JSON.parse(last[1]).response;
}

/** Whether a request relies on state that OpenAI stores, by the warnings about it. */
export function isStoredElsewhere(dropped: readonly Warning[], body: Uint8Array): boolean {
  if (dropped.some(({ path }) => path === "/previous_response_id" || path === "/conversation")) return true;
  const items = dropped.filter(({ code, path }) => code === "native_dropped" && path.startsWith("/input/"));
  if (items.length === 0) return false;
  const { input } = parsed(body);
  return items.some(({ path }) => input[Number(path.split("/")[2])]?.type === "item_reference");
}
