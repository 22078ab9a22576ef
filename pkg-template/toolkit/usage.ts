// Sums of token counts.

import type { Usage } from "toolwire";

const counts = ["input", "output", "total", "cached", "cacheWrite", "reasoning"] as const;

/** The counts of a usage, without metadata and without values that are not counts. */
export function countsOf(usage: unknown): Usage {
  const result: Usage = {};
  for (const count of counts) {
    const value = (usage as Usage | null | undefined)?.[count];
    if (typeof value === "number" && value >= 0 && Number.isFinite(value)) result[count] = value;
  }
  return result;
}

/** The sum of two usages. Metadata of individual responses is omitted. */
export function addUsage(sum: Usage | undefined, added: Usage): Usage {
  const result: Usage = {};
  for (const count of counts) {
    const [a, b] = [sum?.[count], added[count]];
    if (a !== undefined || b !== undefined) result[count] = (a ?? 0) + (b ?? 0);
  }
  return result;
}

/** The limits of an inner run: its own, or what is left of those of the calling run. */
export function leftOf(own: Usage | undefined, outer: Usage | undefined, used: Usage): Usage | undefined {
  if (outer === undefined) return own;
  const result: Usage = { ...own };
  for (const count of ["input", "output", "total"] as const) {
    const maximum = outer[count];
    if (maximum === undefined) continue;
    const sum = count === "total" ? (used.total ?? (used.input ?? 0) + (used.output ?? 0)) : (used[count] ?? 0);
    result[count] = Math.min(own?.[count] ?? Number.POSITIVE_INFINITY, Math.max(maximum - sum, 0));
  }
  return result;
}
