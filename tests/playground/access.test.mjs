// Accessibility: contrast and names (axe), keyboard only, and a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { paste, settledAfter, setUp, show, showExample } from "./support/page.mjs";

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const { playground } = setUp();

async function assertAccessible(page, state) {
  const violations = await page.evaluate(async () => {
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]);
  });
  assert.deepEqual(violations, [], state);
}

/** On a phone, shows one side of the page. */
async function side(page, name) {
  const button = page.locator("#sides").getByText(name);
  if (await button.isVisible()) await button.click();
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

for (const [colorScheme, viewport] of [
  ["light", desktop],
  ["dark", desktop],
  ["light", phone],
]) {
  playground(
    `axe finds nothing: ${colorScheme}, ${viewport.width} wide`,
    async (page) => {
      // Bypasses the page's own policy, which allows no external scripts.
      await page.evaluate(axe);
      await assertAccessible(page, "one target");
      await show(page, "all");
      await assertAccessible(page, "side by side");
      await show(page, "matrix");
      await assertAccessible(page, "the matrix");
      await show(page, "anthropic");
      await page.getByRole("button", { name: "Code" }).click();
      await assertAccessible(page, "code");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "More" }).click();
      await assertAccessible(page, "more targets");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Examples" }).click();
      await page.locator(".example").first().waitFor();
      await assertAccessible(page, "one format, and the examples");
      await page.keyboard.press("Escape");
      await show(page, "exchange");
      await page.locator(".exchange textarea").waitFor();
      await assertAccessible(page, "an exchange");
      await show(page, "universal");
      await show(page, "roundTrip");
      await page.locator("#stage del").first().waitFor();
      await assertAccessible(page, "what came back");
      await side(page, "Source");
      await page.getByRole("button", { name: "Options" }).click();
      await assertAccessible(page, "the round trip, and the options");
      await page.keyboard.press("Escape");
      await page.locator("#source-editor .cm-content").focus();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("F8");
      await page.locator("#source-editor .cm-foldGutter .cm-gutterElement").nth(2).click();
      await page.locator(".cm-foldPlaceholder").waitFor();
      await page.locator(".cm-tooltip").waitFor();
      await assertAccessible(page, "the source, what a finding says, and a fold");
      await page.getByRole("button", { name: "setting_dropped" }).first().click();
      await page.locator(".meaning:not(:empty)").first().waitFor();
      await assertAccessible(page, "the meaning of a code");
      await showExample(page, "stream-anthropic");
      await side(page, "Result");
      await page.getByLabel("Previous event").click();
      await assertAccessible(page, "a stream");
      await side(page, "Source");
      await paste(page, "no JSON at all");
      await assertAccessible(page, "an error");
    },
    { colorScheme, viewport },
  );
}

const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent;
  });

playground("everything is reached by the keyboard alone", async (page) => {
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Skip to the source");
  const seen = [];
  for (let step = 0; step < 40 && !seen.includes("Output"); step++) {
    await page.keyboard.press("Tab");
    seen.push(await focused(page));
  }
  for (const name of ["Share", "Format", "Kind", "Open a file", "Indent the JSON", "Copy the output", "Output"]) {
    assert.ok(seen.includes(name), `${name} is not among ${seen.join(" | ")}`);
  }
  assert.ok(seen.some((name) => name?.startsWith("Source: paste")));
});

playground("tabs, menus and findings by the keyboard", async (page) => {
  await page.locator('[role=tab][data-view="anthropic"]').focus();
  const selected = () => page.locator('[role=tab][aria-selected="true"]').getAttribute("data-view");
  await page.keyboard.press("End");
  await settledAfter(page);
  assert.equal(await selected(), "all");
  await page.keyboard.press("ArrowLeft");
  await settledAfter(page);
  assert.equal(await selected(), "matrix");
  await page.keyboard.press("Home");
  await settledAfter(page);
  assert.equal(await selected(), "openai-responses");
  await page.getByRole("button", { name: "More" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await settledAfter(page);
  await page.getByRole("button", { name: "Examples" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".example").first().waitFor();
  await page.waitForFunction(() => document.activeElement?.classList.contains("example"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await settledAfter(page);
  await page.locator("#about").getByText("Gemini without ids").waitFor();
  // Moves from the editor to the next warning.
  await page.locator("#source-editor .cm-content").focus();
  await page.keyboard.press("F8");
  assert.notEqual(await page.evaluate(() => getSelection().toString()), "");
});

playground("the theme can be set", async (page) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  // The first click is seen.
  await page.getByLabel("Theme: as the system").click();
  assert.notEqual(await background(), light);
  await page.reload();
  await settledAfter(page);
  assert.notEqual(await background(), light);
});

playground(
  "a phone has no sideways scrolling",
  async (page) => {
    for (const view of ["all", "matrix", "gemini", "roundTrip"]) {
      await show(page, view);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflow, 0, view);
    }
    await showExample(page, "stream-anthropic");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);
