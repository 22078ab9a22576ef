// Runs the command of the built package, like a shell.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { folder } from "./package.mjs";

const command = join(folder, "dist/command.js");

/** `{ status, stdout, stderr }`. Fails if Node prints anything of its own: no command line may give a stack trace. */
export function toolwire(args, { input = "", cwd } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { input, cwd, encoding: "utf8" });
  if (/^\s+at |node:internal/m.test(stderr)) throw new Error(`a stack trace: ${stderr}`);
  return { status, stdout, stderr };
}

/** The converted value, for a call that must succeed. */
export function converted(args, input) {
  const { status, stdout, stderr } = toolwire(["convert", ...args], { input: JSON.stringify(input) });
  if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
