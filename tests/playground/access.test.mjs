// Accessibility: contrast and names (axe), keyboard only, and a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { choose, paste, settledAfter, setUp, show } from "./support/page.mjs";

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const { playground } = setUp();

async function assertAccessible(page, state) {
  const violations = await page.evaluate(async () => {
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]);
  });
  assert.deepEqual(violations, [], state);
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
      await assertAccessible(page, "side by side");
      await show(page, "anthropic");
      await page.getByRole("button", { name: "Examples" }).click();
      await page.locator(".example").first().waitFor();
      await assertAccessible(page, "one format, and the examples");
      await page.keyboard.press("Escape");
      await show(page, "roundTrip");
      await page.getByRole("button", { name: "Options" }).click();
      await assertAccessible(page, "the round trip, and the options");
      await page.keyboard.press("Escape");
      await choose(page, "Through", "universal");
      await page.locator("#source-editor .cm-content").focus();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("F8");
      await page.locator("#source-editor .cm-foldGutter .cm-gutterElement").nth(2).click();
      await page.locator(".cm-foldPlaceholder").waitFor();
      await page.locator(".cm-tooltip").waitFor();
      await page.locator("#stage del").first().waitFor();
      await assertAccessible(page, "a difference, what a finding says, and a fold");
      await page.evaluate(() => {
        location.hash = "example=stream-anthropic";
      });
      await settledAfter(page);
      await page.getByLabel("Previous event").click();
      await assertAccessible(page, "a stream");
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
  for (let step = 0; step < 40 && !seen.includes("TypeScript"); step++) {
    await page.keyboard.press("Tab");
    seen.push(await focused(page));
  }
  for (const name of [
    "Share",
    "Format",
    "Kind",
    "Indent the JSON",
    "Side by side",
    "Anthropic: output",
    "TypeScript",
  ]) {
    assert.ok(seen.includes(name), `${name} is not among ${seen.join(" | ")}`);
  }
  assert.ok(seen.some((name) => name?.startsWith("Source: paste")));
});

playground("tabs, menus and findings by the keyboard", async (page) => {
  await page.locator('[data-view="all"]').focus();
  await page.keyboard.press("End");
  await settledAfter(page);
  assert.equal(await page.locator('[role=tab][aria-selected="true"]').getAttribute("data-view"), "universal");
  await page.keyboard.press("Home");
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
  await page.getByLabel("Theme: as the system").click();
  assert.equal(await background(), light);
  await page.getByLabel("Theme: light").click();
  assert.notEqual(await background(), light);
  await page.reload();
  await settledAfter(page);
  assert.notEqual(await background(), light);
});

playground(
  "a phone has no sideways scrolling",
  async (page) => {
    for (const view of ["all", "gemini", "roundTrip"]) {
      await show(page, view);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflow, 0, view);
    }
    await page.evaluate(() => {
      location.hash = "example=stream-anthropic";
    });
    await settledAfter(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);
