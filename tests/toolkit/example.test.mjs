// The example: its output is what the documentation shows.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const packages = ["zod", "@modelcontextprotocol"];

test("examples/toolkit prints what docs/toolkit/example.md shows", () => {
  const place = mkdtempSync(join(tmpdir(), "toolwire-example-"));
  try {
    cpSync(here("../../examples/toolkit"), join(place, "toolkit"), { recursive: true });
    mkdirSync(join(place, "node_modules"));
    symlinkSync(here("../../pkg"), join(place, "node_modules/toolwire"));
    for (const name of packages) symlinkSync(here(`../../node_modules/${name}`), join(place, "node_modules", name));
    writeFileSync(join(place, "package.json"), '{ "type": "module" }');
    const { status, stdout, stderr } = spawnSync(process.execPath, ["toolkit/main.js"], {
      cwd: place,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    const [, shown] = readFileSync(here("../../docs/toolkit/example.md"), "utf8").match(/```text\n(.*?)```/s);
    assert.equal(stdout, shown);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
