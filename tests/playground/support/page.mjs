// The built playground in Chromium: served at a path of its own, and monitored while it is used.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serveFolder } from "../../../scripts/playground/server.mjs";

import { launch } from "../../package/support/browser.mjs";
import { exampleText } from "./examples.mjs";

export const site = fileURLToPath(new URL("../../../build/playground/", import.meta.url));

/** `served` lists the responses of the server. */
export async function serve(base = "/some/path/") {
  const served = [];
  const server = await serveFolder(site, { base, log: (answer) => served.push(answer) });
  return { ...server, served };
}

/** A page in a context of its own. `problems` has its errors, and its requests to other hosts. */
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

/** Waits until the requested output is shown, or a section in its place. */
export async function settled(page) {
  await page.waitForFunction(
    () =>
      document.querySelector("#stage")?.getAttribute("aria-busy") === "false" ||
      document.querySelector("#section")?.childElementCount > 0,
  );
}

/** A server and a browser for the tests of one file, and a function that makes tests with a page of their own. */
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

/** Measures pauses in which the page draws nothing; returns a function for the longest one so far, in milliseconds. */
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

/** Runs a test with a page, which must have no problems at the end. */
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

/** Waits until the page has noticed a change and shows its outcome. */
export async function settledAfter(page) {
  await page.waitForTimeout(50);
  await settled(page);
}

export async function choose(page, label, value) {
  await page.getByLabel(label, { exact: true }).selectOption(value);
  await settledAfter(page);
}

const modes = { play: "play", roundTrip: "trip", text: "text", exchange: "exchange" };

/** Shows a target, a view of all targets, or a mode of the target that is shown. */
export async function show(page, view) {
  const tab = page.locator(`[role=tab][data-view="${view}"]`);
  if (modes[view]) await page.locator(`#stage [data-mode="${modes[view]}"]`).click();
  else if (await tab.isVisible()) await tab.click();
  else {
    await page.getByRole("button", { name: "More" }).click();
    await page.locator(`[data-more="${view}"]`).click();
  }
  await settledAfter(page);
}

/** Opens another fragment of the address. */
export const openFragment = (page, fragment) => page.evaluate((hash) => location.replace(`#${hash}`), fragment);

/** Shows an example, by the address. The page loads the examples when it shows the second one: until then, it shows the one before. */
export async function showExample(page, id) {
  await openFragment(page, `example=${id}`);
  await page.waitForFunction((text) => {
    const lines = [...document.querySelectorAll("#source-editor .cm-line")].map((line) => line.textContent);
    return lines.length > 0 && text.startsWith(lines.join("\n"));
  }, exampleText(id));
  await settledAfter(page);
}

/** The whole output for a target, as a copy button puts it on the clipboard. */
export async function copied(page, to) {
  const isShown = await page.locator(`#stage [data-to="${to}"]`).isVisible();
  if (!isShown) await show(page, to);
  if (await page.locator(`#stage [data-mode="play"][aria-pressed="true"]`).count()) await show(page, "text");
  return copiedBy(page, page.locator(`#stage [data-to="${to}"]`).getByLabel(/^Copy (?!the code)/));
}

/** What a button copies. The browser writes it to the clipboard after the click; on a busy machine, a click may miss a button that is drawn again. */
export async function copiedBy(page, button) {
  await page.evaluate((mark) => navigator.clipboard.writeText(mark), notCopied);
  for (let tries = 0; tries < 500; tries++) {
    if (tries % 100 === 0) await button.click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text !== notCopied) return text;
    await page.waitForTimeout(20);
  }
  throw new Error("nothing was copied");
}

/** On the clipboard until something is copied. */
const notCopied = "nothing was copied yet";

export const output = async (page, to) => JSON.parse(await copied(page, to));

export const findings = (page) => page.locator("#findings").innerText();

const editor = (page, label) => page.locator(`.cm-content[aria-label="${label}"]`);

/** Replaces the text of an editor by pasting. */
export async function pasteInto(page, label, text) {
  await editor(page, label).focus();
  await page.keyboard.press("ControlOrMeta+a");
  const written = typeof text === "string" ? text : JSON.stringify(text);
  await page.evaluate((text) => navigator.clipboard.writeText(text), written);
  await page.keyboard.press("ControlOrMeta+v");
}

/** Replaces the text of an editor key by key. */
export async function typeInto(page, label, text) {
  await editor(page, label).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** What sticks out of its box, as text. `mayScroll`: the box may be higher than the window. */
export const outside = (page, panel, { mayScroll = false } = {}) =>
  page.evaluate(
    ({ panel, mayScroll }) => {
      const box = document.querySelector(panel).getBoundingClientRect();
      const name = (element) => `${element.tagName} ${element.id || element.textContent.slice(0, 20)}`;
      const found = [];
      const isHigh = !mayScroll && (box.top < 0 || box.bottom > innerHeight);
      if (box.left < 0 || box.right > innerWidth || isHigh) found.push(`the panel: ${JSON.stringify(box)}`);
      for (const child of document.querySelectorAll(`${panel} *`)) {
        const { left, right, width } = child.getBoundingClientRect();
        const scrolls = child.closest("pre");
        if (width > 0 && !scrolls && (left < box.left - 0.5 || right > box.right + 0.5)) found.push(name(child));
      }
      return found;
    },
    { panel, mayScroll },
  );

/** Visible buttons, links and fields that are lower or narrower than 24 px (WCAG 2.5.8). */
export const small = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, a[href]")]
      .filter((element) => element.checkVisibility() && !element.matches(".skip, input[type=range]"))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(
        ({ element, box }) =>
          `${element.className || element.id} ${element.textContent.slice(0, 20)}: ${box.width}×${box.height}`,
      ),
  );

const axe = readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** What axe finds in the page as it is. */
export async function violations(page) {
  // bypasses the page's own policy, which allows no external scripts
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]);
  });
}
