// The built playground in Chromium: served under a path of its own, and watched while it is used.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serveFolder } from "../../../scripts/playground/server.mjs";

import { launch } from "../../package/support/browser.mjs";

export const site = fileURLToPath(new URL("../../../build/playground/", import.meta.url));

/** `served` grows with every answer of the server. */
export async function serve(base = "/some/path/") {
  const served = [];
  const server = await serveFolder(site, { base, log: (answer) => served.push(answer) });
  return { ...server, served };
}

/** A page in a context of its own. `problems` are what went wrong in it, and what it asked of anybody else. */
export async function open(browser, server, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  context.on("request", (request) => {
    const isOwn = ["data:", "blob:", server.url].some((start) => request.url().startsWith(start));
    if (!isOwn) problems.push(`asked for ${request.url()}`);
  });
  await page.goto(server.url + hash);
  await settled(page);
  return { page, problems, context };
}

/** What was asked for is shown. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector("#stage")?.getAttribute("aria-busy") === "false");
}

/** A server and a browser for the tests of one file, and what makes a test with a page of its own. */
export function setUp(usual = {}) {
  const place = {};
  before(async () => {
    place.server = await serve();
    place.browser = await launch();
  });
  after(async () => {
    await place.browser?.close();
    place.server?.close();
  });
  const playground = (name, body, options) => test(name, withPage(place, { ...usual, ...options }, body));
  return { place, playground };
}

/** Watches how long the page draws nothing; gives what tells the longest such pause so far, in milliseconds. */
export async function watchPauses(page) {
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const watch = (now) => {
      window.longest = Math.max(window.longest, now - last);
      last = now;
      requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  });
  return () => page.evaluate(() => window.longest);
}

/** Runs a test with a page, which must have had no problems at the end. */
function withPage(place, options, body) {
  return async (test) => {
    const { page, problems, context } = await open(place.browser, place.server, options);
    try {
      await body(page, { context, diagnostic: (text) => test.diagnostic(text) });
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  };
}

export async function paste(page, text) {
  await page.locator("#source-editor .cm-content").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    typeof text === "string" ? text : JSON.stringify(text),
  );
  await page.keyboard.press("ControlOrMeta+v");
  await settledAfter(page);
}

/** The page has had the time to notice a change, and has dealt with it. */
export async function settledAfter(page) {
  await page.waitForTimeout(50);
  await settled(page);
}

export async function choose(page, label, value) {
  await page.getByLabel(label, { exact: true }).selectOption(value);
  await settledAfter(page);
}

export async function show(page, view) {
  await page.locator(`[role=tab][data-view="${view}"]`).click();
  await settledAfter(page);
}

/** What a card's copy button puts on the clipboard: all of the output. */
export async function copied(page, to) {
  await page.locator(`[data-to="${to}"]`).getByLabel(/^Copy/).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

export const output = async (page, to) => JSON.parse(await copied(page, to));

export const findings = (page) => page.locator("#findings").innerText();
