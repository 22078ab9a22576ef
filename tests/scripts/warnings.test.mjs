// The closed list of warning codes: in the source, in docs/format.md and in the vectors.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** Code → whether it is lossy. */
const codes = new Map(
  [...read("src/run/warning.rs").matchAll(/^ {4}\w+ "(\w+)" (true|false),$/gm)].map(([, code, lossy]) => [
    code,
    lossy === "true",
  ]),
);
const cases = readdirSync(new URL("../vectors", import.meta.url))
  .filter((file) => file.endsWith(".json"))
  .flatMap((file) => JSON.parse(read(`tests/vectors/${file}`)));

/** What text says and objects can't, or what is not looked into in objects (docs/format.md). */
const mayDiffer = ["duplicate_key", "lone_surrogate", "inexact_number"];

test("docs/format.md has every code, and whether it is lossy", () => {
  const [, section] = read("docs/format.md").split("## Warnings");
  const rows = [...section.split("\n## ")[0].matchAll(/^\| ((?:`\w+` ?)+)\| (yes|no) \|/gm)];
  const documented = rows.flatMap(([, names, lossy]) =>
    [...names.matchAll(/\w+/g)].map(([code]) => [code, lossy === "yes"]),
  );
  assert.ok(codes.size > 30);
  assert.deepEqual(new Map(documented.sort()), new Map([...codes].sort()));
});

test("every code is shown by a vector, as lossy as it is", () => {
  const told = cases.flatMap(warningsIn);
  for (const { code, lossy } of told) assert.equal(lossy, codes.get(code), code);
  const missing = [...codes.keys()].filter((code) => !told.some((warning) => warning.code === code));
  assert.deepEqual(missing, []);
});

test("vectors of one backend alone warn of nothing but what may differ", () => {
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
