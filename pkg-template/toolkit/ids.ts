// Call ids that are unique within a turn.

import { callCore } from "./core/instance.js";
import type { AnyCall } from "./execution.js";

/**
 * Returns the calls with unique ids. A call with a duplicate id gets a new id, the same one that `toolwire` assigns
 * when it reads such calls. Calls that are equal in id, name and arguments are one call: the same object.
 */
export function uniqueIds(given: readonly AnyCall[]): AnyCall[] {
  if (given.length < 2) return [...given];
  const calls = given.map(withoutGivenId);
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

/** The call without the marks by which a conversion restores an id that occurred twice, because servers reject such requests. */
function withoutGivenId(call: AnyCall): AnyCall {
  const metadata = Object.entries(call.metadata ?? {}).map(([key, value]) => [key, unmarked(value)] as const);
  if (metadata.every(([key, value]) => value === call.metadata?.[key])) return call;
  return { ...call, metadata: Object.fromEntries(metadata) };
}

function unmarked(metadata: unknown): unknown {
  const { form } = (metadata ?? {}) as { form?: { id?: unknown } };
  if (!form?.id) return metadata;
  const { id: _, ...others } = form;
  return { ...(metadata as object), form: others };
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
    const candidate = callCore((core) => core.replacementId(id, occurrence));
    if (!taken.has(candidate)) return candidate;
  }
}
