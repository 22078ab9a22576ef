// What the README says of commands, runtimes and their versions is what there is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runtimes } from "../packaging/runtimes.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const readme = read("README.md");
const section = (title) => readme.split(/^## /m).find((text) => text.startsWith(title));

test("every command is in the table of commands", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const table = section("From a checkout");
  for (const name of Object.keys(scripts)) {
    const command = name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
    assert.ok(table.includes(`\`${command}\``) || table.includes(`\`${command} --`), command);
  }
});

test("every runtime that the package is tried in is in the table of runtimes, with its version and what it loads", () => {
  const table = section("Where it runs");
  for (const [name, { packages, entries }] of Object.entries(runtimes)) {
    const [version] = Object.values(packages);
    if (version) assert.ok(table.includes(version), `${name} ${version}`);
    for (const { loads } of Object.values(entries)) {
      const isSlim = loads.some((file) => file.startsWith("slim"));
      for (const file of loads) assert.ok(isSlim || table.includes(`\`${file}`), `${name}: ${file}`);
    }
  }
});
