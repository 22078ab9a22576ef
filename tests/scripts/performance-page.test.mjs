// docs/performance.md starts with the questions of users and ends with missed targets, as `npm run bench -- docs` writes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { arrange, taken } from "../../bench/page/arrange.mjs";

const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
const head = "# Performance\n\nHow it is measured.";
const table = (title, ratio, verdict) =>
  `**${title}**\n\n|  | ours, µs | ratio | target |  |\n| --- | ---: | ---: | ---: | ---: |\n| agent | 10.00 | ${ratio} | ≤ 1.00 | ${verdict} |`;
const sections = [
  `### Size\n\n${table("what one entry loads", "0.50", "met")}`,
  `### A new part\n\n${table("a table", "2.00", "MISSED")}`,
  `### bytes → bytes\n\n${table("bytes → bytes, Node 20", "3.00", "MISSED")}`,
];

test("the page is in the order that the command writes", () => {
  assert.equal(arrange(...taken(page)), page);
});

test("questions come first, in their order, and missed targets last", () => {
  const titles = arrange(head, sections).match(/^###? .*$/gm);
  const expected = ["## In short", "## How fast", "### bytes → bytes", "### A new part", "## How large", "### Size"];
  assert.deepEqual(titles, [...expected, "## Missed targets"]);
});

test("the summary has the figures of the tables", () => {
  assert.match(arrange(head, sections), /takes 10\.00 µs on Node 20 \(3\.00 × by hand\)/);
});

test("every missed target is listed with its measurement", () => {
  const [, missed] = arrange(head, sections).split("## Missed targets\n\n");
  const rows = "| A new part, a table, agent | 2.00 | ≤ 1.00 |\n| bytes → bytes, Node 20, agent | 3.00 | ≤ 1.00 |\n";
  assert.equal(missed, `2 of 3 targets are missed.\n\n| what | measured | target |\n| --- | ---: | ---: |\n${rows}`);
});
