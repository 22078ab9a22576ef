// The vectors of texts with calls: one file per family of formats.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../vectors/text/", import.meta.url);

/** @param {"reads" | "writes"} kind */
export function vectors(kind) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"))[kind] ?? []);
}
