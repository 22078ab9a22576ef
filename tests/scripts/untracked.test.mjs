// scripts/lib/untracked.mjs keeps Node's test runner from finding the test of an uncaught error. The error must still fail the file.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { untracked } from "../../scripts/lib/tests.mjs";

const wait = "await new Promise((resolve) => setTimeout(resolve, 20));";
const bodies = {
  "no error": ["", 0],
  "a failed assertion": ["throw new Error();", 1],
  "an error after the test": ["setTimeout(() => { throw new Error(); });", 1],
  "an error during the test": [`setTimeout(() => { throw new Error(); }); ${wait}`, 1],
  "a rejection that nothing handles": [`Promise.reject(new Error()); ${wait}`, 1],
};

for (const [name, [body, expected]] of Object.entries(bodies)) {
  test(`${name}: exit code ${expected}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "toolwire-untracked-"));
    const file = join(folder, "one.test.mjs");
    writeFileSync(file, `import { test } from "node:test"; test("one", async () => { ${body} });`);
    // without the variable by which a test runner tells its processes that it reads their output
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { status, stdout } = spawnSync(process.execPath, ["--import", untracked, "--test", file], { env });
    rmSync(folder, { recursive: true });
    assert.equal(status, expected, String(stdout));
  });
}
