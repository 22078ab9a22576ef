// The types of the built package against those of the providers' own SDKs, and of a driver with its own types.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { assertCompiles } from "./support/compile.mjs";
import { olderTests, sdks, versionOf } from "./support/sdk-versions.mjs";

const folder = new URL("../types/sdk/", import.meta.url);
const files = readdirSync(folder).map((name) => `tests/types/sdk/${name}`);
// The SDKs' declarations use names of the browser (RequestInfo, CloseEvent). With these, they pass the same full check as the package's.
const lib = "es2022,dom,dom.iterable";

// One run also covers the older majors, because reading the SDKs' declarations takes most of the time.
for (const [compiler, module, resolution] of [
  ["typescript", "esnext", "bundler"],
  ["typescript", "nodenext", "nodenext"],
  ["typescript-5", "nodenext", "nodenext"],
]) {
  test(`${compiler}, ${resolution}: the SDKs' types accept requests, and their responses are accepted`, () => {
    assertCompiles(compiler, [...files, ...olderTests()], { lib, module, resolution });
  });
}

test("docs/sdk-types.md names the versions that are tested", () => {
  const page = readFileSync(new URL("../../docs/sdk-types.md", import.meta.url), "utf8");
  for (const { name, packages } of sdks) {
    const majors = packages.map((installed) => versionOf(installed).split(".").slice(0, 2).join("."));
    assert.ok(page.includes(`| \`${name}\` | ${majors.join(", ")} |`), `${name}: ${majors.join(", ")}`);
  }
});
