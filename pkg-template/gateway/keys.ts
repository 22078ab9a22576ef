// Keys: where clients and providers put them, and how they are compared.

import { ToolwireError } from "#conversions";
import { loaded } from "./more.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const keyHeaders = ["x-api-key", "x-goog-api-key"] as const;

/** The key that a client presents, from any of the places that SDKs put it in. */
export function presentedKey(headers: Pick<Headers, "get">, url: URL): string | undefined {
  for (const name of keyHeaders) {
    const value = headers.get(name);
    if (value) return value;
  }
  const authorization = /^Bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "");
  // parsed only if there is one
  const inQuery = url.search === "" ? undefined : url.searchParams.get("key");
  return authorization?.[1]?.trim() ?? inQuery ?? undefined;
}

export interface KnownClient {
  readonly name: string;
  readonly key: Uint8Array;
}

/** The client with this key. All keys are compared, each in a time that does not depend on where it differs. */
export function clientWith(presented: string | undefined, clients: readonly KnownClient[]): KnownClient | undefined {
  const given = encoder.encode(presented ?? "");
  let found: KnownClient | undefined;
  for (const client of clients) if (areEqual(given, client.key)) found = client;
  return found;
}

function areEqual(given: Uint8Array, key: Uint8Array): boolean {
  let difference = given.length ^ key.length;
  for (let i = 0; i < given.length; i++) difference |= (given[i] as number) ^ (key[i % key.length] as number);
  return difference === 0;
}

/**
 * A key that is given directly, or by the name of its environment variable.
 *
 * @throws ToolwireError if the variable is not set.
 */
export function keyOf({ key, keyEnv }: { key?: string; keyEnv?: string }, path: string): string | undefined {
  if (key !== undefined || keyEnv === undefined) return key;
  const value = environment()[keyEnv];
  if (value) return value;
  throw new ToolwireError("missing_field", `the environment variable ${keyEnv} is not set`, `${path}/keyEnv`);
}

function environment(): Record<string, string | undefined> {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
}

const HIDDEN = "[hidden]";
/** Shorter texts are not recognized within other texts. */
const SHORTEST_SECRET = 6;

/** Replaces secrets in texts and bodies. Providers quote keys in their errors. */
export class Secrets {
  readonly #texts: readonly string[];

  constructor(texts: readonly (string | undefined)[]) {
    const given = texts.filter((text): text is string => text !== undefined && text.length >= SHORTEST_SECRET);
    // as they are, and as JSON and URLs spell them
    const spellings = given.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]);
    this.#texts = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  }

  with(text: string | undefined): Secrets {
    return text === undefined || this.#texts.includes(text) ? this : new Secrets([...this.#texts, text]);
  }

  hidden(text: string): string {
    return this.#texts.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  }

  /** The body itself if it contains no secret. */
  hiddenIn(body: Uint8Array): Uint8Array {
    return this.#replaced(body, decoder.decode(body));
  }

  /** As `hiddenIn`, for a piece of a stream: only errors quote keys. */
  hiddenInError(piece: Uint8Array): Uint8Array {
    const text = decoder.decode(piece);
    return text.includes("error") || text.includes("xception") ? this.#replaced(piece, text) : piece;
  }

  #replaced(body: Uint8Array, text: string): Uint8Array {
    const shown = this.hidden(text);
    if (shown === text) return body;
    // an exchange with Bedrock has loaded it
    return loaded?.isBinary(body)
      ? loaded.withPayloads(body, (payload) => this.hidden(payload))
      : encoder.encode(shown);
  }
}
