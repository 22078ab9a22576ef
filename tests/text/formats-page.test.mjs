// docs/text-formats.md matches the current output of the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as text from "../../pkg/dist/text/node.js";
import { page } from "../../scripts/text-formats/page.mjs";

test("docs/text-formats.md is up to date (npm run docs:text)", () => {
  const written = readFileSync(new URL("../../docs/text-formats.md", import.meta.url), "utf8");
  assert.equal(written, page(text));
});
