// The closed lists of codes: in Rust, in docs/format.md and in the vectors.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { errorCodes, warningCodes } from "../../scripts/codes/lists.mjs";
import { page } from "../../scripts/codes/page.mjs";
import { vectorCases } from "../../scripts/vectors/files.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** Code → its level. */
const codes = new Map(warningCodes().map(({ code, level }) => [code, level]));
const cases = vectorCases();

/** Warnings that only text input can have, because objects can't express their cause or are not checked for it (docs/format.md). */
const mayDiffer = ["duplicate_key", "lone_surrogate", "inexact_number"];

test("every code of Rust's tables is in them, with its meaning", () => {
  const count = (file) =>
    read(file)
      .match(/^codes! \{\n(.*?)^\}/ms)[1]
      .match(/^ {4}\w+ "/gm).length;
  for (const [file, rows] of Object.entries({
    "src/run/warning.rs": warningCodes(),
    "src/run/error.rs": errorCodes(),
  })) {
    assert.equal(rows.length, count(file), file);
    for (const { code, meaning } of rows) assert.match(meaning, /^\S.*\.$/, code);
  }
});

test("the tables of docs/format.md are written from Rust's, and nothing else of the page is", () => {
  const text = read("docs/format.md");
  assert.equal(page(text), text);
  assert.equal(page(text.replace(/^\| \[`(?:too_deep|field_dropped)`.*\n/gm, "")), text);
});

test("docs/format.md has every code of providers' errors, and whether to retry", () => {
  const [, rows] = read("src/model/error.rs").match(/ {4}ChatErrorCode \{\n(.*?)\}/s);
  const [, retryable] = read("src/model/error.rs").match(/matches!\(self, (.*?)\)/);
  const expected = [...rows.matchAll(/(\w+) (\w+),/g)].map(([, variant, code]) => {
    if (code === "unknown") return [code, "by the status"];
    return [code, retryable.split(" | ").includes(variant) ? "yes" : "no"];
  });
  const [, section] = read("docs/format.md").split("## Errors of providers");
  const documented = [...section.split("\n## ")[0].matchAll(/^\| `(\w+)` \| ([\w ]+) \|/gm)];
  assert.ok(expected.length > 10);
  assert.deepEqual(
    documented.slice(1).map(([, code, retry]) => [code, retry]),
    expected,
  );
});

test("every code is shown by a vector, as lossy as it is", () => {
  const told = cases.flatMap(warningsIn);
  for (const { code, lossy } of told) assert.equal(lossy, codes.get(code) === "loss", code);
  const missing = [...codes.keys()].filter((code) => !told.some((warning) => warning.code === code));
  assert.deepEqual(missing, []);
});

test("vectors for one backend only have no warnings other than those that may differ", () => {
  const alone = cases.filter(({ backends }) => backends?.length === 1);
  const told = alone.flatMap((vector) => warningsIn(vector).map(({ code }) => `${vector.name}: ${code}`));
  assert.deepEqual(
    told.filter((line) => !mayDiffer.includes(line.split(": ")[1])),
    [],
  );
});

function warningsIn(value) {
  if (typeof value !== "object" || value === null) return [];
  const own = "code" in value && "path" in value && "lossy" in value ? [value] : [];
  return [...own, ...Object.values(value).flatMap(warningsIn)];
}
