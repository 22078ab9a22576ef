// Compiles TypeScript files against the built package and checks all declarations: the package's, and those of other packages.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const strict = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];

/** The newest compiler and the one before it. */
export const compilers = ["typescript", "typescript-5"];

export function assertCompiles(
  compiler,
  files,
  { lib = "es2022", module = "esnext", resolution = "bundler", more = [] } = {},
) {
  const tsc = `node_modules/${compiler}/bin/tsc`;
  const environment = ["--target", "es2022", "--lib", lib, "--types", "node"];
  const modules = ["--module", module, "--moduleResolution", resolution];
  const args = [tsc, ...strict, ...environment, ...modules, ...more, ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, `${stdout}${stderr}`);
}
