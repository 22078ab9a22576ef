// The tarball in clean projects: every runtime of runtimes.mjs, with every way of loading the package there. PACKAGING selects some of
// them.

import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { runtimes } from "./runtimes.mjs";
import { makeProject, pack, temporaryFolder } from "./support/project.mjs";
import { closeBrowser, outcomeOf } from "./support/ways.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const [uses, conversation, readme, toolkitUses, textUses, recipe] = [
  "expected.json",
  "expected-gateway.json",
  "expected-readme.json",
  "expected-toolkit.json",
  "expected-text.json",
  "expected-recipe.json",
].map(read);
const names = process.env.PACKAGING?.split(" ") ?? Object.keys(runtimes);

/** The rows of the printed table: runtime, entry, what it loads, and which uses had the expected outcome. */
const seen = [];

describe("packaging", { concurrency: 2 }, () => {
  const place = temporaryFolder();
  let tarball;
  before(async () => {
    tarball = await pack(place);
  });
  after(async () => {
    await closeBrowser();
    rmSync(place, { recursive: true, force: true });
  });

  for (const name of names) {
    const { packages, entries } = runtimes[name];
    describe(name, { concurrency: 1 }, () => {
      let making;
      before(() => {
        making = makeProject(tarball, packages);
        // every entry reports the failure of the project
        return making.catch(() => {});
      });
      after(() => making.then((project) => project.remove()).catch(() => {}));

      for (const [how, entry] of Object.entries(entries)) {
        const expected = expectedOf(entry);
        const row = {
          name,
          how,
          loads: entry.loads,
          results: Object.fromEntries(Object.keys(expected).map((use) => [use, false])),
        };
        seen.push(row);
        test(how, { timeout: 300_000 }, async () => {
          const outcome = await outcomeOf(await making, entry);
          for (const [use, result] of Object.entries(outcome)) row.results[use] = isSame(result, expected[use]);
          assert.deepEqual(outcome, expected);
        });
      }
    });
  }
});

function expectedOf({ gateway, recipe: isRecipe, readme: isReadme, text, toolkit, workers = true }) {
  if (gateway) return conversation;
  if (isRecipe) return recipe;
  if (isReadme) return readme;
  if (text) return textUses;
  if (!toolkit) return uses;
  return workers ? toolkitUses : { ...toolkitUses, sandbox: "sandbox_missing" };
}

function isSame(actual, expected) {
  try {
    assert.deepEqual(actual, expected);
    return true;
  } catch {
    return false;
  }
}

// after the last output of the suite
process.once("exit", () => {
  const lines = seen.map(({ name, how, loads, results }) => [
    name,
    how,
    loads.join(" "),
    ...Object.entries(results).map(([use, passed]) => (passed ? use : `${use} FAILED`)),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column].length)) + 2);
  for (const line of lines) console.log(line.map((word, column) => word.padEnd(widths[column] ?? 0)).join(" "));
});
