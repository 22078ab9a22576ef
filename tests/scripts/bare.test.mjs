// The scripts install the packages of npm by themselves, so what they import at their start needs none of them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/lib/run.mjs";

/** Module hooks under which no package is installed. */
const hooks = `export function resolve(specifier, context, next) {
  if (/^(node:|file:|data:|[./])/.test(specifier)) return next(specifier, context);
  throw new Error(specifier + " is imported by " + context.parentURL);
}`;
const asUrl = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
const withHooks = asUrl(`import { register } from "node:module"; register(${JSON.stringify(asUrl(hooks))});`);

const load = (code) =>
  spawnSync(process.execPath, ["--import", withHooks, "--input-type=module", "--eval", code], {
    cwd: root,
    encoding: "utf8",
  });

for (const file of ["steps.mjs", "ready/rules.mjs", "build/all.mjs", "build/playground.mjs", "site/build.mjs"]) {
  test(`scripts/${file} loads before the packages are installed`, () => {
    const { status, stderr } = load(`await import(${JSON.stringify(join(root, "scripts", file))});`);
    assert.equal(status, 0, stderr);
  });
}

test("a package that is imported at the start is found", () => {
  const { status, stderr } = load(`import "esbuild";`);
  assert.equal(status, 1);
  assert.match(stderr, /esbuild is imported by/);
});
