import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Makes the module `virtual:names` of the documentation: the models and servers that the tables of facts have, and what a fact means. */
export function names(): Plugin {
  const id = "virtual:names";
  return {
    name: "names",
    resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
    load(asked) {
      if (asked !== `\0${id}`) return undefined;
      const [models, servers] = ["models", "servers"].map(pageOf);
      const rows = rowsOf(models ?? "");
      const [facts = "", list = ""] = (servers ?? "").split("\n## Rows\n");
      const meanings = rowsOf(facts).flatMap(([name, , meaning]) =>
        name && meaning ? [[codeIn(name)[0], meaning]] : [],
      );
      return [
        `export const models = ${JSON.stringify(rows.flatMap(([names = ""]) => codeIn(names)))};`,
        `export const servers = ${JSON.stringify(rowsOf(list).flatMap(([name = ""]) => codeIn(name)))};`,
        `export const meanings = ${JSON.stringify(Object.fromEntries(meanings))};`,
      ].join("\n");
    },
  };
}

const pageOf = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

/** The cells of the rows of all tables whose first cell is code. */
function rowsOf(page: string): string[][] {
  return [...page.matchAll(/^\| (`.*) \|$/gm)].map(([, row = ""]) => row.split(/ (?<!\\)\| /));
}

const codeIn = (cell: string) => [...cell.matchAll(/`([^`]*)`/g)].map(([, code = ""]) => code);
