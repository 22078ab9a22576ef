// The versions of Node for measurements: the oldest that the package supports, and the newest.

import { nodeProgram, versionOf } from "./installs.mjs";

/** `{ name, version, program }` of each. `column` is its name in targets. */
export async function nodes() {
  const all = [];
  for (const [folder, column] of [
    ["node20", "oldest"],
    ["node26", "newest"],
  ]) {
    const version = versionOf(folder);
    all.push({ name: `Node ${version.split(".")[0]}`, version, column, program: await nodeProgram(folder) });
  }
  return all;
}
