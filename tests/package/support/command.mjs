// The command of the built package, run as a shell would.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { folder } from "./package.mjs";

const command = join(folder, "dist/command.js");

/** `{ status, stdout, stderr }`, where nothing of Node's own may show: no command line gives a stack trace. */
export function toolwire(args, { input = "", cwd } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { input, cwd, encoding: "utf8" });
  if (/^\s+at |node:internal/m.test(stderr)) throw new Error(`a stack trace: ${stderr}`);
  return { status, stdout, stderr };
}

/** The converted value of a call that must succeed. */
export function converted(args, input) {
  const { status, stdout, stderr } = toolwire(["convert", ...args], { input: JSON.stringify(input) });
  if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
