// The cases of all vector files.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../vectors/", import.meta.url);

export function cases() {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));
}
