// docs/performance.md is arranged by the questions of users, and has no targets of the project, as `npm run bench -- docs` writes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { arrange, taken } from "../../bench/page/arrange.mjs";
import { root } from "../../scripts/lib/run.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";

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

test("questions come first, in their order", () => {
  const titles = arrange(head, sections).match(/^###? .*$/gm);
  const expected = ["## In short", "## How fast", "### bytes → bytes", "### A new part", "## How large", "### Size"];
  assert.deepEqual(titles, expected);
});

test("the summary has the figures of the tables", () => {
  assert.match(arrange(head, sections), /takes 10\.00 µs on Node 20 \(3\.00 × by hand\)/);
});

test("targets are left out, with the cells that state whether they are met", () => {
  const text = arrange(head, sections);
  assert.doesNotMatch(text, /target|MISSED|\bmet\b|≤/i);
  assert.match(text, /^\| agent \| 10\.00 \| 0\.50 \|$/m);
});

test("no page for users has targets of the project", () => {
  const pages = filesBelow(["README.md", "docs"]).filter((file) => file.endsWith(".md"));
  assert.ok(pages.length > 40);
  const found = pages.filter((file) =>
    /\bMISSED\b|missed target|\| target \| {1,2}\|/i.test(readFileSync(`${root}/${file}`, "utf8")),
  );
  assert.deepEqual(found, []);
});
