// The pictures of the page show the page as it is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { digestOfPage, digestOfPictures } from "../../scripts/playground/pictures.mjs";

test("the pictures are not older than the page", () => {
  assert.equal(digestOfPictures(), digestOfPage(), "node scripts/playground/pictures.mjs takes them");
});

test("the pictures have the sizes that they are made for", () => {
  const sizeOf = (file) => {
    const bytes = readFileSync(new URL(`../../${file}`, import.meta.url));
    return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  };
  assert.deepEqual(sizeOf("docs/images/playground.png"), [1440, 900]);
  assert.deepEqual(sizeOf("www/public/preview.png"), [1200, 630]);
});
