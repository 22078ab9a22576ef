// Signed states: HMAC-SHA256 over the canonical JSON of a state.

import { ToolkitError } from "../errors.js";
import type { AgentState } from "./outcome.js";

const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
const PURPOSE = "toolwire-agent-state-v1";

export type Secret = string | CryptoKey;

export async function signed(state: AgentState, secret: Secret | undefined): Promise<AgentState> {
  if (secret === undefined) return state;
  const signature = await crypto.subtle.sign(algorithm, await keyOf(secret), bytesOf(state));
  return { ...state, signature: base64url(new Uint8Array(signature)) };
}

/**
 * Returns the state without its signature.
 *
 * @throws ToolkitError `invalid_state` if the signature does not match.
 */
export async function verified(state: AgentState, secret: Secret | undefined): Promise<AgentState> {
  const { signature, ...rest } = state as AgentState & { signature?: unknown };
  const unsigned = rest as AgentState;
  if (secret === undefined) {
    if (signature === undefined) return unsigned;
    throw new ToolkitError(
      "invalid_state",
      "the state is signed: pass the secret that it was signed with",
      "/signature",
    );
  }
  const expected = (await signed(unsigned, secret)).signature as string;
  if (typeof signature !== "string" || !equal(signature, expected)) {
    throw new ToolkitError(
      "invalid_state",
      "the signature does not match: the state was modified, or signed with another secret",
      "/signature",
    );
  }
  return unsigned;
}

async function keyOf(secret: Secret): Promise<CryptoKey> {
  if (typeof secret !== "string") return secret;
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
}

function bytesOf(state: AgentState) {
  return new TextEncoder().encode(JSON.stringify([PURPOSE, sorted(state)]));
}

/** Sorts the keys of every object, because JSON stores may reorder them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Compares in constant time. */
function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % (b.length || 1));
  return difference === 0;
}
