// Sums of token counts.

import type { Usage } from "toolwire";

const counts = ["input", "output", "total", "cached", "cacheWrite", "reasoning"] as const;

/** The sum of two usages. Metadata of individual responses is omitted. */
export function addUsage(sum: Usage | undefined, added: Usage): Usage {
  const result: Usage = {};
  for (const count of counts) {
    const [a, b] = [sum?.[count], added[count]];
    if (a !== undefined || b !== undefined) result[count] = (a ?? 0) + (b ?? 0);
  }
  return result;
}
