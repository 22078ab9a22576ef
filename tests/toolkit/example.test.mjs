// The examples print what the documentation shows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { installExample, outputOf } from "./support/example.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("examples/toolkit prints what docs/toolkit/example.md shows", (t) => {
  const folder = installExample(t, "toolkit", ["zod", "@modelcontextprotocol"]);
  const [, shown] = read("docs/toolkit/example.md").match(/```text\n(.*?)```/s);
  assert.equal(outputOf(folder), shown);
});

test("examples/deep-agent works through its plan in 40 turns", (t) => {
  assert.equal(outputOf(installExample(t, "deep-agent")), read("examples/deep-agent/expected-output"));
});
