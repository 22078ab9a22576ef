// The tests that depend on a seed (PROPERTY_SEED).

import { spawnSync } from "node:child_process";
import { CommandFailed, locked, root, run, tested } from "./run.mjs";

/** The test programs, and the arguments that select their tests. */
export const properties = { properties: [] };

const selected = Object.keys(properties).flatMap((name) => ["--test", name]);

/** Builds the programs, optimised, for many seeds. Returns their names and paths. */
export function testPrograms() {
  const args = ["test", ...tested, ...selected, ...locked, "--no-run", "--message-format=json"];
  const { status, stdout } = spawnSync("cargo", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new CommandFailed("the properties were not built");
  const messages = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return messages
    .filter(({ executable, target }) => executable && properties[target.name])
    .map(({ executable, target }) => [target.name, executable]);
}

/** Runs them with the seed of the day, so that every day tests other cases. */
export function testSeedOfTheDay() {
  const seed = String(Math.floor(Date.now() / (24 * 60 * 60 * 1000)));
  console.log(`PROPERTY_SEED=${seed}`);
  for (const [name, args] of Object.entries(properties)) {
    run("cargo", ["test", ...tested, ...locked, "--test", name, ...args], { env: { PROPERTY_SEED: seed } });
  }
}
