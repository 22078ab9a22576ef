// Runs the programs that the scripts need.

import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

// CI must not change what Cargo.lock pins.
export const locked = process.env.CI ? ["--locked"] : [];

/** Compiles tests for a whole run of them. */
export const tested = ["--profile=tested"];

export class CommandFailed extends Error {}

/** Runs a program in the repository and throws if it fails. Its output goes to `output`: a file descriptor, or "ignore". */
export function run(command, args, options) {
  throwIfFailed(command, args, spawnSync(command, args, settingsOf(options)));
}

/** Like `run`, but returns a promise at once. */
export async function runBeside(command, args, options) {
  const child = spawn(command, args, settingsOf(options));
  const result = await new Promise((ended) => {
    child.on("error", (error) => ended({ error })).on("close", (status, signal) => ended({ status, signal }));
  });
  throwIfFailed(command, args, result);
}

function settingsOf({ env = {}, cwd = root, output = 1 } = {}) {
  return { cwd, env: { ...process.env, ...env }, stdio: ["ignore", output, 2] };
}

function throwIfFailed(command, args, { error, status, signal }) {
  if (error) throw new CommandFailed(`${command} did not start: ${error.message}`);
  if (status !== 0) throw new CommandFailed(`${command} ${args.join(" ")} failed (${signal ?? `exit code ${status}`})`);
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
