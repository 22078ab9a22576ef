// Facts that code, vectors and types cite (`WIRE §n`) are in docs/wire, and every fact there is cited.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { root } from "../../scripts/lib/run.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";

const read = (file) => readFileSync(`${root}/${file}`, "utf8");
const pages = filesBelow(["docs/wire"]);
const headings = pages.flatMap((page) =>
  [...read(page).matchAll(/^## (§[\d.]+) \S/gm)].map(([, section]) => ({ section, page })),
);

/** Sections that a file cites: `WIRE §1.2`, also in a list (`WIRE §1.2, §1.3`). */
const citations = (text) =>
  [...text.matchAll(/WIRE (§\d+(?:\.\d+)*(?:(?:, | and )§\d+(?:\.\d+)*)*)/g)].flatMap(([, list]) =>
    list.split(/, | and /),
  );

test("every citation of a wire fact leads to one heading", () => {
  const sections = headings.map(({ section }) => section);
  assert.equal(new Set(sections).size, sections.length, "a section has two headings");
  const cited = new Map();
  const sources = filesBelow(["src", "tests", "scripts", "examples", "pkg-template", "www", "bench", "docs"]);
  for (const file of sources.filter((file) => /\.(?:rs|json|m?js|ts|md|txt)$/.test(file) && !pages.includes(file))) {
    for (const section of citations(read(file))) cited.set(section, file);
  }
  assert.ok(cited.size > 60);
  assert.deepEqual(
    [...cited].filter(([section]) => !sections.includes(section)).map(([section, file]) => `${file}: WIRE ${section}`),
    [],
  );
  assert.deepEqual(
    headings.filter(({ section }) => !cited.has(section)),
    [],
  );
});

test("every page of wire facts names its source or where its facts come from, and is in the list of pages", () => {
  const list = read("docs/wire/README.md");
  for (const page of pages.filter((page) => !page.endsWith("README.md"))) {
    assert.match(read(page), /^Source: <https:|come from/m, page);
    assert.ok(list.includes(`](${page.replace("docs/wire/", "")})`), page);
  }
});
