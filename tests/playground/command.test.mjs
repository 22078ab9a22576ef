// `toolwire playground` serves the page that the package contains.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, output, setUp } from "./support/page.mjs";

const { place } = setUp();
const dist = fileURLToPath(new URL("../../pkg/dist/", import.meta.url));
const command = join(dist, "command.js");

test("the command serves the page until it is interrupted", async () => {
  const child = spawn(process.execPath, [command, "playground", "--port", "0"]);
  try {
    const url = await new Promise((resolve, reject) => {
      child.stdout.once("data", (bytes) => resolve(String(bytes).split("\n")[0]));
      child.once("close", (code) => reject(new Error(`ended with ${code}`)));
    });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { page, problems, context } = await open(place.browser, { url });
    assert.equal((await output(page, "anthropic")).messages[1].content[1].type, "tool_use");
    assert.deepEqual(problems, []);
    await context.close();
    assert.equal((await fetch(`${url}../package.json`)).status, 404);
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGINT");
    assert.equal(await ended, 0);
  } finally {
    child.kill("SIGKILL");
  }
});

test("the command refuses what it does not take", () => {
  const run = (...args) => spawnSync(process.execPath, [command, "playground", ...args], { encoding: "utf8" });
  assert.match(run("body.json").stderr, /takes no file/);
  assert.match(run("--to", "openai").stderr, /has no flag --to/);
  assert.match(run("--port", "x").stderr, /must be a number/);
});

test("the page takes little room in the package", (context) => {
  const files = readdirSync(join(dist, "playground"), { recursive: true }).map((name) =>
    join(dist, "playground", name),
  );
  const bytes = files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0);
  context.diagnostic(`${files.length} files, ${bytes} bytes before packing`);
  assert.ok(bytes < 1_600_000, `${bytes} bytes`);
});
