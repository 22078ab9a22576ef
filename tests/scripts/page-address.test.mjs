// What previews of links to the playground show, with and without a known address.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { addressOfPage, withAddress } from "../../scripts/playground/address.mjs";

const html = readFileSync(new URL("../../www/index.html", import.meta.url), "utf8");
const metaOf = (text, name) => text.match(new RegExp(`<meta property="og:${name}" content="([^"]*)"`))?.[1];

test("the address is that of the variable, or of the project's site", () => {
  const homepage = "https://example.test/toolwire";
  assert.equal(addressOfPage({}, { homepage: "" }), undefined);
  assert.equal(addressOfPage({}, { homepage }), "https://example.test/toolwire/play/");
  assert.equal(addressOfPage({ PLAYGROUND_URL: "https://a.test/p" }, { homepage }), "https://a.test/p/");
  for (const wrong of ["a.test/p", "/play/", "file:///play/"])
    assert.throws(() => addressOfPage({ PLAYGROUND_URL: wrong }, { homepage: "" }), /not an address/);
});

test("with an address, the picture's own is absolute", () => {
  assert.equal(metaOf(withAddress(html, undefined), "image"), "./preview.png");
  const known = withAddress(html, "https://a.test/p/");
  assert.equal(metaOf(known, "image"), "https://a.test/p/preview.png");
  assert.equal(metaOf(known, "url"), "https://a.test/p/");
  assert.throws(() => withAddress("<html></html>", undefined), /no picture/);
});
