// The functions behind docs/quirks.md, with a small table of the test's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { problems } from "../../scripts/quirks/check.mjs";
import { page } from "../../scripts/quirks/page.mjs";
import { byNumber } from "../../scripts/quirks/proofs.mjs";

const proofs = byNumber([
  {
    file: "a.json",
    cases: [
      { name: "a/one", source: ["WIRE §1.2", "Q1", "Q1"] },
      { name: "a/none", kind: "request" },
    ],
  },
  { file: "b.json", cases: [{ name: "b/two", source: ["Q1", "Q97a: a remark"] }] },
]);
/** The problems of these rows alone, in a table with all other numbers. */
function complaints(rows) {
  const others = Array.from({ length: 225 }, (_, index) => [`Q${index + 1}`, { about: "", elsewhere: "" }]);
  return problems({ Section: { ...Object.fromEntries(others), Q1: fine, Q97a: fine, ...rows } }, proofs);
}
const fine = { about: "It", does: "So." };

test("vectors are found by the numbers in their source", () => {
  assert.deepEqual(proofs.get("Q1"), [
    { file: "a.json", name: "a/one" },
    { file: "b.json", name: "b/two" },
  ]);
  assert.deepEqual(proofs.get("Q97a"), [{ file: "b.json", name: "b/two" }]);
});

test("handled and refused quirks need a vector, and others must have none", () => {
  assert.deepEqual(complaints({}), []);
  assert.deepEqual(complaints({ Q2: fine }), ['Q2: "does", but no vector names it']);
  assert.deepEqual(complaints({ Q2: { about: "", refuses: "" } }), ['Q2: "refuses", but no vector names it']);
  assert.deepEqual(complaints({ Q1: { about: "", elsewhere: "" } }), ['Q1: "elsewhere", but a/one names it']);
});

test("rows are of one shape", () => {
  const shape = 'Q2: needs "about" and one of does, refuses, elsewhere, see, later, open';
  for (const row of [{}, { about: "" }, { does: "" }, { about: "", does: "", refuses: "" }, { about: "", say: "" }]) {
    assert.deepEqual(complaints({ Q2: row }), [shape]);
  }
  assert.deepEqual(complaints({ Q2: { about: "", see: ["Q1"] } }), []);
  assert.deepEqual(complaints({ Q2: { about: "", see: ["Q999"] } }), ["Q2: no Q999 to see"]);
});

test("every number has a row, but for those of streams", () => {
  const numbers = problems({}, new Map()).map((problem) => problem.replace(": no row", ""));
  assert.equal(numbers.length, 225 - 29);
  assert.ok(numbers.includes("Q141") && numbers.includes("Q171") && !numbers.includes("Q150"));
  assert.deepEqual(
    problems({}, byNumber([{ file: "a.json", cases: [{ name: "a", source: ["Q150"] }] }])).at(-1),
    "Q150: no row, but a names it",
  );
});

test("the page states what the package does, and links the vectors", () => {
  const text = page({ Section: { Q1: fine, Q2: { about: "That", see: ["Q1"] } } }, proofs, ["Q1"]);
  assert.match(
    text,
    /\n- \[Section\]\(#section\)\n\n## Ten quirks that most programs meet\n\n- \*\*Q1\. It\.\*\* So\.\n\n/,
  );
  assert.match(
    text,
    /\n## Section\n\n- \*\*Q1\. It\.\*\* So\.\n {2}- \[a\.json\]\(\.\.\/tests\/vectors\/a\.json\): `a\/one`\n/,
  );
  assert.match(text, /\n- \*\*Q2\. That\.\*\* See Q1\.\n$/);
});
