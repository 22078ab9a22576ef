// Runs the programs that the scripts need.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

// CI must not change what Cargo.lock pins.
export const locked = process.env.CI ? ["--locked"] : [];

/** Compiles tests for a whole run of them. */
export const tested = ["--profile=tested"];

export class CommandFailed extends Error {}

/** Runs a program in the repository and throws if it fails. Its output goes to `output`: a file descriptor, or "ignore". */
export function run(command, args, { env = {}, cwd = root, output = 1 } = {}) {
  const result = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", output, 2] });
  if (result.error) throw new CommandFailed(`${command} did not start: ${result.error.message}`);
  if (result.status !== 0) {
    throw new CommandFailed(`${command} ${args.join(" ")} failed (${result.signal ?? `exit code ${result.status}`})`);
  }
}

/** The trimmed standard output of a program, or undefined if it fails. */
export function outputOf(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Ends a script with a one-line message, for failures that are not bugs of the script. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    console.error(error instanceof CommandFailed ? `error: ${error.message}` : error);
    process.exitCode = 1;
  }
}
