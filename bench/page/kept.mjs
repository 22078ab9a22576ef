// What was last measured of each part, so that the page can be written again without measuring all of it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, root } from "../../scripts/lib/run.mjs";

const folder = join(root, "build/bench/measured");
const fileOf = (part) => join(folder, `${part}.json`);

export function keep(part, sections) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(part), JSON.stringify(sections));
}

export function kept(part) {
  if (!existsSync(fileOf(part))) throw new CommandFailed(`${part} was not measured yet: npm run bench -- ${part}`);
  return JSON.parse(readFileSync(fileOf(part), "utf8"));
}
