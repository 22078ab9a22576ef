// Stores the page's state in the fragment of the URL, which browsers do not send to servers.

import type { Dialect } from "toolwire";
import { type Kind, kinds, type Settings } from "../engine/protocol.ts";
import { dialects } from "./names.ts";
import { compressed, example, sharedOf } from "./shared.ts";
import { modes, type State, views } from "./state.ts";

export async function fragmentOf(state: State): Promise<string> {
  return `#${compressed}${await packed(sharedOf(state))}`;
}

/** A value as text for a URL. */
export async function packed(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return base64url(await piped(bytes, new CompressionStream("deflate-raw")));
}

/** The value that was packed. Throws if the text is damaged. */
export async function unpacked(text: string): Promise<unknown> {
  const bytes = await piped(fromBase64url(text), new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The state in a fragment. Throws if it is damaged. */
export async function stateOf(fragment: string): Promise<Partial<State> | undefined> {
  const content = fragment.replace(/^#/, "");
  if (content.startsWith(example)) return { example: content.slice(example.length) };
  if (!content.startsWith(compressed)) return undefined;
  return stateOfShared(await unpacked(content.slice(compressed.length)));
}

/** Validates a state, because anybody can create links. */
export function stateOfShared(value: unknown): Partial<State> {
  const { text, from, kind, settings, view, mode, target, answer } = (value ?? {}) as Record<string, unknown>;
  if (typeof text !== "string") throw new Error("the link does not contain a source");
  const dialect = (name: unknown) => (dialects.includes(name as Dialect) ? (name as Dialect) : undefined);
  return {
    text,
    from: dialect(from),
    kind: kinds.includes(kind as Kind) ? (kind as Kind) : undefined,
    settings: settingsOf(settings),
    view: views.find((name) => name === view) ?? "one",
    mode: modes.find((name) => name === mode),
    target: dialect(target),
    answer: typeof answer === "string" ? answer : undefined,
  };
}

function settingsOf(value: unknown): Settings {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const isSetting = (entry: [string, unknown]): entry is [string, string | number | boolean] =>
    ["string", "number", "boolean"].includes(typeof entry[1]);
  return Object.fromEntries(entries.filter(isSetting));
}

async function piped(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
