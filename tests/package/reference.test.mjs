// docs/functions.md, docs/options.md and docs/command.md list what the package has.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { root } from "../../scripts/lib/run.mjs";
import { stalePages } from "../../scripts/reference/pages.mjs";
import { readEntries } from "../../scripts/reference/types.mjs";

test("the pages are those that the types give: npm run docs:reference", () => assert.deepEqual(stalePages(), []));

test("every option and every function is described", () => {
  const entries = readEntries();
  const missing = entries.flatMap(({ entry, functions, options }) => [
    ...functions.filter(({ about }) => about === "").map(({ name }) => `${entry}: ${name}`),
    ...options.flatMap(({ name, members }) =>
      members.filter(({ about }) => about === "").map((member) => `${entry}: ${name}.${member.name}`),
    ),
  ]);
  assert.ok(entries.flatMap(({ options }) => options).length > 20);
  assert.deepEqual(missing, []);
});

test("the most important ones are in them", () => {
  const page = (name) => readFileSync(`${root}/docs/${name}.md`, "utf8");
  for (const name of ["convertRequest(body, conversion)", "runAgent(options)", "createGateway(config, hooks?)"])
    assert.ok(page("functions").includes(`| \`${name}\` |`), name);
  for (const name of ["lossy", "timeoutMs", "maxIterations", "keyEnv", "enforce"])
    assert.ok(page("options").includes(`| \`${name}\` |`), name);
});
