// Call ids that are unique within a turn.

import type { AnyCall } from "./execution.js";

/**
 * Returns the calls with unique ids. A call with a duplicate id gets a new id, the same one that `toolwire` assigns
 * when it reads such calls. Calls that are equal in id, name and arguments are one call: the same object.
 */
export function uniqueIds(calls: readonly AnyCall[]): AnyCall[] {
  if (calls.length < 2) return [...calls];
  const taken = new Set<string>();
  const seen = new Map<string, AnyCall>();
  return calls.map((call) => {
    if (!taken.has(call.id)) {
      taken.add(call.id);
      seen.set(call.id, call);
      return call;
    }
    const same = sameAs(call, seen);
    if (same) return same;
    const unique = { ...call, id: freeId(call.id, taken) };
    taken.add(unique.id);
    seen.set(keyOf(call), unique);
    return unique;
  });
}

function sameAs(call: AnyCall, seen: Map<string, AnyCall>): AnyCall | undefined {
  const first = seen.get(call.id);
  if (first && keyOf(first) === keyOf(call)) return first;
  return seen.get(keyOf(call));
}

function keyOf(call: AnyCall): string {
  return JSON.stringify([call.id, call.name, "rawArguments" in call ? call.rawArguments : sorted(call.arguments)]);
}

/** Sorts the fields, because arguments are equal regardless of their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([key, member]) => [key, sorted(member)]) };
}

function freeId(id: string, taken: Set<string>): string {
  for (let occurrence = 1; ; occurrence++) {
    const candidate = replacement(id, occurrence);
    if (!taken.has(candidate)) return candidate;
  }
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `tw_` and the base 62 SipHash-1-3 of the id and its occurrence. */
export function replacement(id: string, occurrence: number): string {
  const ordinal = new Uint8Array(8);
  new DataView(ordinal.buffer).setUint32(0, occurrence, true);
  const encode = (text: string) => new TextEncoder().encode(text);
  const bytes = [...encode("id"), 0xff, ...ordinal, ...encode(id), 0xff];
  let rest = sipHash13(bytes, 0x746f_6f6c_7769_7265n);
  let text = "tw_";
  for (let digit = 0; digit < 11; digit++) {
    text += DIGITS[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}

const u64 = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => u64((value << by) | (value >> (64n - by)));

/** SipHash-1-3 with the key (`key`, 0). */
function sipHash13(bytes: readonly number[], key: bigint): bigint {
  let [v0, v1] = [key ^ 0x736f_6d65_7073_6575n, 0x646f_7261_6e64_6f6dn];
  let [v2, v3] = [key ^ 0x6c79_6765_6e65_7261n, 0x7465_6462_7974_6573n];
  const round = () => {
    v0 = u64(v0 + v1);
    v1 = rotate(v1, 13n) ^ v0;
    v0 = rotate(v0, 32n);
    v2 = u64(v2 + v3);
    v3 = rotate(v3, 16n) ^ v2;
    v0 = u64(v0 + v3);
    v3 = rotate(v3, 21n) ^ v0;
    v2 = u64(v2 + v1);
    v1 = rotate(v1, 17n) ^ v2;
    v2 = rotate(v2, 32n);
  };
  const padded = [...bytes];
  while (padded.length % 8 !== 7) padded.push(0);
  padded.push(bytes.length & 0xff);
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.slice(at, at + 8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    v3 ^= word;
    round();
    v0 ^= word;
  }
  v2 ^= 0xffn;
  round();
  round();
  round();
  return v0 ^ v1 ^ v2 ^ v3;
}
