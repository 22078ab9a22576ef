// The types of the built package against the promised ones, with the newest compiler and the one before it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const strict = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];
const environment = ["--target", "es2022", "--lib", "es2022", "--types", "node"];
const modules = ["--module", "esnext", "--moduleResolution", "bundler"];

for (const compiler of ["typescript", "typescript-5"]) {
  test(`${compiler}: the types are the promised ones, no wider and no narrower`, () => {
    const args = [
      `node_modules/${compiler}/bin/tsc`,
      ...strict,
      ...environment,
      ...modules,
      "tests/types/assignable.ts",
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
}
