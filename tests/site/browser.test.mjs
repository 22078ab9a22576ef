// The built site in Chromium: accessible, light, and without requests to other hosts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { serveFolder } from "../../scripts/playground/server.mjs";
import { site } from "../../scripts/site/build.mjs";
import { launch } from "../package/support/browser.mjs";

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** A page of each kind. */
const kinds = {
  home: "/",
  guide: "/guides/tools",
  recipe: "/recipes/images",
  toolkit: "/toolkit/agents",
  reference: "/format",
  codes: "/codes",
  quirks: "/quirks",
  wire: "/wire/anthropic",
  pair: "/openai-to-anthropic",
  "list of files": "/vectors/files",
  project: "/contributing",
};
/** Bytes, compressed, of a page and all that it loads. */
const limit = 120_000;

let server;
let browser;
const served = [];

before(async () => {
  server = await serveFolder(site, { log: (response) => served.push(response) });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page in a context of its own, and returns its problems and its weight. */
async function withPage(address, options, body) {
  const context = await browser.newContext(options);
  const problems = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(String(error)));
  context.on("request", (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) problems.push(request.url());
  });
  page.on(
    "response",
    (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  );
  const from = served.length;
  try {
    await page.goto(server.url + address.slice(1), { waitUntil: "networkidle" });
    await body(page, () => served.slice(from).reduce((sum, { bytes }) => sum + bytes, 0));
    assert.deepEqual(problems, [], address);
  } finally {
    await context.close();
  }
}

async function violations(page) {
  await page.evaluate(axe);
  return await page.evaluate(async () => {
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]);
  });
}

for (const [kind, address] of Object.entries(kinds)) {
  test(`${kind}: axe finds nothing, nothing comes from other hosts, and it is light`, async () => {
    await withPage(address, { viewport: { width: 1440, height: 900 } }, async (page, bytes) => {
      assert.ok(bytes() < limit, `${bytes()} bytes`);
      assert.deepEqual(await violations(page), []);
    });
  });
}

test("dark, and on a phone", async () => {
  for (const options of [{ colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }])
    for (const address of ["/", "/guides/tools", "/openai-to-anthropic"])
      await withPage(address, options, async (page) => assert.deepEqual(await violations(page), [], address));
});

test("the search finds a code, and opens its page", async () => {
  await withPage("/", { viewport: { width: 1440, height: 900 } }, async (page) => {
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator("#localsearch-input").fill("setting_dropped");
    await page.locator(".result").first().waitFor();
    await page.locator('.result[href*="codes"]').first().click();
    await page.waitForURL(/\/codes#setting_dropped$/);
  });
});
