// Signed states: HMAC-SHA256 over the canonical JSON of a state, which has an expiry.

import { ToolkitError } from "../errors.js";
import type { AgentState } from "./outcome.js";

const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
/** By the version of the state. States of version 1 have no expiry. */
const purposeOf = ({ version }: AgentState) => `toolwire-agent-state-v${version}`;
/** One day. */
export const DEFAULT_TTL_MS = 86_400_000;

export type Secret = string | CryptoKey;

/** The state with its expiry, in milliseconds since 1970, and its signature. */
export async function signed(state: AgentState, secret: Secret, expires: number): Promise<AgentState> {
  const expiring = { ...state, expires };
  return { ...expiring, signature: await signatureOf(expiring, secret) };
}

/**
 * Returns the state without signature and expiry.
 *
 * @throws ToolkitError `invalid_state` if the signature does not match, or if the state has expired
 */
export async function verified(state: AgentState, secret: Secret | undefined, now: number): Promise<AgentState> {
  const { signature, ...signedPart } = state as AgentState & { signature?: unknown };
  if (secret === undefined) {
    if (signature === undefined) return state;
    throw invalid("the state is signed: pass the secret that it was signed with");
  }
  const expected = await signatureOf(signedPart as AgentState, secret);
  if (typeof signature !== "string" || !equal(signature, expected)) {
    throw invalid("the signature does not match: the state was modified, or signed with another secret");
  }
  const { expires, ...rest } = signedPart as AgentState & { expires?: unknown };
  if (state.version > 1 && !(typeof expires === "number" && now < expires)) {
    const message = "the state has expired: start the run again, or raise stateTtlMs for the states of later runs";
    throw new ToolkitError("invalid_state", message, "/expires");
  }
  return rest as AgentState;
}

const invalid = (message: string) => new ToolkitError("invalid_state", message, "/signature");

async function signatureOf(state: AgentState, secret: Secret): Promise<string> {
  const text = JSON.stringify([purposeOf(state), sorted(JSON.parse(JSON.stringify(state)))]);
  const signature = await crypto.subtle.sign(algorithm, await keyOf(secret), new TextEncoder().encode(text));
  return base64url(new Uint8Array(signature));
}

async function keyOf(secret: Secret): Promise<CryptoKey> {
  if (typeof secret !== "string") return secret;
  if (secret === "") throw new ToolkitError("invalid_options", "secret must not be empty", "/secret");
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
}

/** Sorts the keys of every object, because JSON stores may reorder them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
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
