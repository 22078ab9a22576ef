import type { Plugin } from "vite";
// @ts-expect-error: the scripts have no types
import { errorCodes, warningCodes } from "../../scripts/codes/lists.mjs";

/** Makes the module `virtual:codes` of the sources of the documentation. */
export function reference(): Plugin {
  const name = "virtual:codes";
  return {
    name: "reference",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const rows: { code: string; meaning: string }[] = [...errorCodes(), ...warningCodes()];
      return `export const codes = ${JSON.stringify(Object.fromEntries(rows.map(({ code, meaning }) => [code, meaning])))};`;
    },
  };
}
