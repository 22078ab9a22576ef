// What the page has room for: panels within the window, tabs in sight, targets that can be hit, at every width.

import assert from "node:assert/strict";
import { outside, setUp, show, showExample, small } from "./support/page.mjs";

const { playground } = setUp();

const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1001, height: 768 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

for (const viewport of sizes) {
  playground(
    `panels stay in the window, ${viewport.width} wide`,
    async (page) => {
      const source = page.locator("#sides").getByText("Source");
      for (const [name, panel] of [
        ["Examples", "#examples"],
        ["Code", "#code"],
        ["More", "#more"],
        ["Share", "#share"],
        ["Options", "#settings"],
      ]) {
        if (name === "Options" && (await source.isVisible())) await source.click();
        const button = page.getByRole("button", { name, exact: true });
        if (!(await page.locator(`${panel}[popover]`).count())) continue;
        await button.click();
        await page.locator(`${panel} button, ${panel} select`).first().waitFor();
        assert.deepEqual(await outside(page, panel), [], name);
        await page.keyboard.press("Escape");
      }
    },
    { viewport },
  );

  playground(
    `tabs and selects can be read, and targets hit, ${viewport.width} wide`,
    async (page) => {
      for (const id of ["parallel-calls", "stream-openai"]) {
        await showExample(page, id);
        const tabs = await page.evaluate(() => {
          const list = document.querySelector("[role=tablist]").getBoundingClientRect();
          const shown = [...document.querySelectorAll("[role=tab]:not([hidden])")].map((tab) => ({
            name: tab.dataset.view,
            isCurrent: tab.getAttribute("aria-selected") === "true",
            right: tab.getBoundingClientRect().right,
          }));
          return { edge: list.right, shown };
        });
        for (const { name, right } of tabs.shown) assert.ok(right <= tabs.edge + 1, `${id}: ${name} is cut off`);
        assert.ok(tabs.shown.some(({ isCurrent }) => isCurrent));
        for (const view of ["matrix", "all", "anthropic"]) {
          await show(page, view);
          assert.deepEqual(await small(page), [], `${id}, ${view}`);
        }
      }
      const source = page.locator("#sides").getByText("Source");
      if (await source.isVisible()) await source.click();
      assert.deepEqual(await small(page), [], "the source");
      const widths = await page
        .locator("#source-controls > .choice select")
        .evaluateAll((all) => all.map((select) => select.getBoundingClientRect().width));
      for (const width of widths) assert.ok(width >= 100, `a select is ${width} wide`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflow, 0);
    },
    { viewport },
  );
}

playground("a tool call is on the first screen, in the source and in the result", async (page) => {
  const sight = (selector) =>
    page.evaluate((selector) => {
      const box = document.querySelector(selector).getBoundingClientRect();
      return [...document.querySelectorAll(`${selector} .cm-line`)].some((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return line.textContent.includes("get_weather") && top >= box.top && bottom <= box.bottom;
      });
    }, selector);
  assert.ok(await sight("#source-editor"));
  assert.ok(await sight("#stage .card-body"));
});
