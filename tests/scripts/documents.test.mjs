// The README and the pages state the commands, runtimes, versions and figures of the package correctly.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { relativeLinks, withoutDeadLinks } from "../../scripts/build/documents.mjs";
import { cargoField } from "../../scripts/build/facts.mjs";
import { projectFields } from "../../scripts/build/manifest.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";
import { runtimes } from "../packaging/runtimes.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const section = (path, title) =>
  read(path)
    .split(/^## /m)
    .find((text) => text.startsWith(title));

test("every command is in the table of commands", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const table = section("CONTRIBUTING.md", "Commands");
  for (const name of Object.keys(scripts)) {
    const command = name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
    assert.ok(table.includes(`\`${command}\``) || table.includes(`\`${command} --`), command);
  }
});

test("every tested runtime is in the table of runtimes, with its version and the files that it loads", () => {
  const table = read("docs/runtimes.md");
  for (const [name, { packages, entries }] of Object.entries(runtimes)) {
    const [version] = Object.values(packages);
    if (version) assert.ok(table.includes(version), `${name} ${version}`);
    for (const { loads } of Object.values(entries)) {
      const isSlim = loads.some((file) => file.startsWith("slim"));
      // the files of other entry points have the same names in folders of their own, as the page explains below the table
      const inTable = (file) =>
        file
          .replace(/^(?:common|toolkit|text|gateway(?:\/more)?)\/(?!serve)/, "")
          .replace(/\b(?:common|toolkit|text)\.wasm/, "toolwire.wasm");
      for (const file of loads.map(inTable)) assert.ok(isSlim || table.includes(`\`${file}`), `${name}: ${file}`);
    }
  }
});

test("figures of size and speed in the README are measured ones, rounded", () => {
  const cells = [...read("docs/performance.md").matchAll(/(?<=\| )(\d+(?:\.\d+)?)(?: kB)?(?= \|)/g)].map(([, cell]) =>
    Number(cell),
  );
  const figures = section("README.md", "Size and speed").match(/\d+(\.\d+)?(?= (kB|µs))/g);
  assert.ok(figures.length >= 3);
  for (const figure of figures) {
    const digits = figure.split(".")[1]?.length ?? 0;
    assert.ok(
      cells.some((cell) => cell.toFixed(digits) === figure),
      `${figure} is not in docs/performance.md`,
    );
  }
});

test("the project's address is that of project.json, in the crate as in the package", () => {
  const fields = projectFields();
  const list = (name) => read("Cargo.toml").match(new RegExp(`^${name} = \\[(.*)\\]$`, "m"))?.[1];
  const cargo = (name) => read("Cargo.toml").match(new RegExp(`^${name} = "(.*)"$`, "m"))?.[1];
  assert.deepEqual(Object.keys(JSON.parse(read("project.json"))), ["homepage", "repository", "bugs", "author"]);
  assert.equal(cargo("homepage"), fields.homepage);
  assert.equal(cargo("repository"), fields.repository);
  assert.equal(list("authors"), fields.author && JSON.stringify(fields.author));
  assert.equal(cargoField("name"), "toolwire");
  const template = JSON.parse(read("pkg-template/package.json"));
  for (const name of ["homepage", "repository", "bugs", "author"]) assert.equal(template[name], undefined, name);
});

test("the oldest Node that the package accepts is the oldest that it is tested in", () => {
  const { engines } = JSON.parse(read("pkg-template/package.json"));
  const tested = Object.keys(runtimes).flatMap((name) => name.match(/^node-(\d+)$/)?.[1] ?? []);
  assert.equal(engines.node, `>=${Math.min(...tested.map(Number))}`);
});

test("no page that is written by hand is over 1,500 lines", () => {
  const generated = ["docs/quirks.md", "docs/text-formats.md", "docs/performance.md"];
  for (const page of filesBelow(["docs"]).filter((file) => file.endsWith(".md") && !generated.includes(file)))
    assert.ok(read(page).split("\n").length <= 1500, page);
});

test("links to unpublished files become plain text", () => {
  const text = "[a](b.md#c), [`d`](../tests/d.json), ![e](https://example.com/e.png)";
  assert.deepEqual(
    relativeLinks(text, "docs/x.md").map(({ path }) => path),
    ["docs/b.md", "tests/d.json"],
  );
  const files = ["docs/b.md"];
  assert.equal(withoutDeadLinks(text, "docs/x.md", files), "[a](b.md#c), `d`, ![e](https://example.com/e.png)");
});
