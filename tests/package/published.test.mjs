// The tarball that would be published, checked by two tools for known problems of exports and types.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { relativeLinks } from "../../scripts/build/documents.mjs";
import { folder } from "./support/package.mjs";

const bin = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
let place;
let tarball;

before(() => {
  place = mkdtempSync(join(tmpdir(), "toolwire-published-"));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", place, folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [{ filename }] = Object.values(JSON.parse(packed));
  tarball = join(place, filename);
});
after(() => rmSync(place, { recursive: true, force: true }));

function assertClean(tool, args) {
  const { status, stdout, stderr } = spawnSync(join(bin, tool), args, { encoding: "utf8" });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

const files = () =>
  execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .split("\n")
    .map((path) => path.replace("package/", ""));

test("every relative link in the README and in the packed pages leads to a file of the package", () => {
  const packed = files();
  assert.ok(packed.includes("README.md") && packed.includes("docs/format.md"));
  for (const page of packed.filter((path) => path.endsWith(".md"))) {
    const links = relativeLinks(readFileSync(join(folder, page), "utf8"), page);
    assert.ok(page !== "README.md" || links.length > 5);
    const dead = links.map(({ path }) => path).filter((path) => !packed.includes(path));
    assert.deepEqual(dead, [], page);
  }
  // linked files must not be left out of the package to pass this check
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  assert.equal(readFileSync(join(folder, "README.md"), "utf8"), readme);
});

test("a link to a heading leads to one", () => {
  for (const page of files().filter((path) => path.endsWith(".md"))) {
    for (const [link, target, anchor] of readFileSync(join(folder, page), "utf8").matchAll(
      /\]\(([\w./-]*)#([^)\s]+)\)/g,
    )) {
      const file = target ? join(folder, dirname(page), target) : join(folder, page);
      const headings = readFileSync(file, "utf8").match(/^#+ .*$/gm) ?? [];
      const anchors = headings.map((heading) =>
        heading
          .replace(/^#+ /, "")
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
          .replaceAll(" ", "-"),
      );
      assert.ok(anchors.includes(anchor), `${page}: ${link}`);
    }
  }
});

test("coding agents find how to use the package, in at most 80 lines", () => {
  assert.ok(files().includes("AGENTS.md"));
  const text = readFileSync(join(folder, "AGENTS.md"), "utf8");
  assert.ok(text.split("\n").length <= 81);
  const named = [...text.matchAll(/`(docs\/[\w/.-]+)`/g)].map(([, path]) => path);
  assert.ok(named.length > 4);
  for (const path of named)
    assert.ok(
      files().some((file) => file === path || file.startsWith(path)),
      path,
    );
});

test("publint finds nothing", () => assertClean("publint", ["run", tarball, "--strict"]));

// The profile skips the resolution of Node 10, which does not support `exports`. Wasm files are no modules for Node: bundlers decide how to
// import them.
test("attw finds nothing", () =>
  assertClean("attw", [tarball, "--profile", "node16", "--exclude-entrypoints", "./toolwire.wasm"]));

test("the types cite nothing that their readers do not have", () => {
  const dist = join(folder, "dist");
  const types = readdirSync(dist, { recursive: true }).filter((name) => /\.d\.c?ts$/.test(name));
  assert.ok(types.includes("index.d.ts"));
  for (const name of types) {
    const lines = readFileSync(join(dist, name), "utf8").split("\n");
    assert.deepEqual(
      lines.filter((line) => /\bWIRE\b|\bQ\d+\b|§/.test(line)),
      [],
      name,
    );
  }
});
