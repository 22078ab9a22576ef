import type { Plugin } from "vite";
// @ts-expect-error: the scripts have no types
import { dialects } from "../../scripts/lib/dialects.mjs";

/** Makes the module `virtual:apis` of the table of dialects: what the documentation of each format calls it. */
export function apis(): Plugin {
  const name = "virtual:apis";
  return {
    name: "apis",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const rows: { name: string; title: string; documented?: string }[] = dialects;
      const others = rows.filter(({ title, documented }) => documented && documented !== title);
      return `export const apis = ${JSON.stringify(Object.fromEntries(others.map((row) => [row.name, row.documented])))};`;
    },
  };
}
