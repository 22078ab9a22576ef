// Patterns and texts that take engines with backtracking for ever. `patterns.rs` runs the same list natively.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { worked } from "../support/time.mjs";
import { checkValue } from "./support/toolkit.mjs";

const cases = JSON.parse(readFileSync(new URL("patterns.json", import.meta.url)));
const LENGTH = 100_000;
/** In milliseconds. What does not take linear time takes minutes. */
const MOST = 1000;
const none = { coerce: false, clamp: false, defaults: false };

function verdictOf({ pattern, begin = "", unit, end }) {
  const text = begin + unit.repeat(Math.floor(LENGTH / Buffer.byteLength(unit))) + end;
  let least = Number.POSITIVE_INFINITY;
  let verdict;
  for (let run = 0; run < 3; run++) {
    const started = worked();
    try {
      verdict = checkValue({ pattern }, text, none).problems.length === 0;
    } catch (error) {
      assert.equal(error.code, "invalid_schema");
      verdict = "refused";
    }
    least = Math.min(least, worked() - started);
  }
  return { verdict, least };
}

test("evil patterns take linear time or are refused, as natively", (t) => {
  assert.ok(cases.length >= 60);
  let slowest = [0];
  for (const each of cases) {
    const { verdict, least } = verdictOf(each);
    assert.equal(verdict, each.verdict, each.pattern);
    assert.ok(least < MOST, `${each.pattern} takes ${least} ms`);
    if (least > slowest[0]) slowest = [least, each.pattern];
  }
  t.diagnostic(`the slowest takes ${slowest[0].toFixed(1)} ms: ${slowest[1]}`);
});

const parts =
  String.raw`a b . \w \W \d \s \S [ab] [^a] [a-c1] \b \B ^ $ (?=a) (?!a) (?<=a) (?<!b) (?:a|b) (ab|a) (?:) (?=a|$) (?:^|a) \u0061 \x62
\u{1F600} \ud83d\ude00 [\p{L}] \p{Lu} (?=.*1) (?<=^.) [] [^] é [\d-] [\]\-\\] \cJ \t (?<n>b) \/`.split(/\s/);
const repeats = ["", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "{0}", "{1,3}"];
const texts = [
  "",
  "a",
  "b",
  "ab",
  "ba",
  "aab",
  "abab",
  "a b",
  "1",
  "a1",
  " ",
  "\n",
  "A",
  "_",
  "é",
  "😀",
  "é😀é",
  "aaa",
  "bbb",
  "ab ab\nb",
  "-]\\/",
];

test("patterns mean what they mean in JavaScript", () => {
  let state = 7;
  const pick = (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[(state >>> 8) % list.length];
  };
  let compared = 0;
  for (let round = 0; round < 6000; round++) {
    let pattern = "";
    for (let part = pick([1, 2, 3, 4]); part > 0; part--)
      pattern += pick(parts) + pick(repeats) + pick(["", "", "", "", "|"]);
    if (pick([true, false, false])) pattern = `(?:${pattern})${pick(repeats)}${pick(parts)}`;
    let expected;
    try {
      expected = new RegExp(pattern, "u");
    } catch {
      continue;
    }
    for (const text of texts) {
      const { problems } = checkValue({ pattern }, text, none);
      assert.equal(problems.length === 0, expected.test(text), `/${pattern}/u on ${JSON.stringify(text)}`);
      compared++;
    }
  }
  assert.ok(compared > 40_000, `${compared}`);
});
