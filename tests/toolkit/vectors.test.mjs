// The vectors of checks, repairs and results, in the built package: in Node and in Chromium. The packaging tests run them elsewhere.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { launch, serve } from "../package/support/browser.mjs";
import * as imported from "./support/toolkit.mjs";
import { failures } from "./support/vectors.mjs";

const folder = new URL("../vectors/toolkit/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const contents = names.map((name) => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(new URL(name, folder), "utf8")),
]);
const vectors = Object.fromEntries(contents);
const required = createRequire(import.meta.url)("../../pkg/dist/toolkit/index.cjs");

test("imported in Node", async () => assert.deepEqual(await failures(imported, vectors), []));

test("required in Node", async () => assert.deepEqual(await failures(required, vectors), []));

test("a wrong expectation is noticed", async () => {
  const { coercion, results } = vectors;
  const wrong = {
    coercion: { cases: [{ ...coercion.cases[0], becomes: "something else" }] },
    results: { ...results, cases: [{ ...results.cases[0], result: { kind: "text", value: "something else" } }] },
  };
  assert.equal((await failures(imported, wrong)).length, 2);
});

test("in Chromium", async () => {
  const page = `<!doctype html><title>vectors</title><link rel="icon" href="data:,"><script type="module">
    import * as toolkit from "/pkg/dist/toolkit/index.js";
    import { failures } from "/vectors.js";
    const vectors = await (await fetch("/vectors.json")).json();
    globalThis.outcome = await failures(toolkit, vectors);
  </script>`;
  const script = readFileSync(new URL("support/vectors.mjs", import.meta.url), "utf8");
  const server = await serve({ "/page.html": page, "/vectors.js": script, "/vectors.json": JSON.stringify(vectors) });
  const browser = await launch();
  try {
    const opened = await browser.newPage();
    await opened.goto(`${server.url}/page.html`);
    await opened.waitForFunction(() => globalThis.outcome !== undefined, undefined, { timeout: 30_000 });
    assert.deepEqual(await opened.evaluate(() => globalThis.outcome), []);
  } finally {
    await browser.close();
    server.close();
  }
});
