// What holds for all sections: accessible at every width, by the keyboard alone, with a status, and with nothing lost on the way.

import assert from "node:assert/strict";
import { copiedBy, outside, paste, settledAfter, setUp, small, violations } from "./support/page.mjs";

const { playground } = setUp();

/** Each section, with what it shows when it is done. */
const sections = {
  tools: "The call runs",
  text: "2 calls in the format hermes_json",
  agent: "The run waits",
  facts: "rows of models",
};

const go = async (page, name) => {
  await page.locator(`#sections a[href="#/${name}"]`).click();
  if (sections[name]) await page.locator("#section").getByText(sections[name]).first().waitFor();
};

for (const width of [320, 390, 1024, 1440]) {
  for (const colorScheme of ["light", "dark"]) {
    playground(
      `axe finds nothing, nothing sticks out and targets can be hit: ${width} wide, ${colorScheme}`,
      async (page) => {
        for (const name of Object.keys(sections)) {
          await go(page, name);
          assert.deepEqual(await violations(page), [], name);
          assert.deepEqual(await small(page), [], name);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, name);
          assert.deepEqual(await outside(page, "#section", { mayScroll: true }), [], name);
        }
      },
      { colorScheme, viewport: { width, height: width < 1000 ? 844 : 800 } },
    );
  }
}

playground("sections are reached by the keyboard, and the way back keeps the work", async (page) => {
  await paste(page, { model: "gpt-5.1", messages: [{ role: "user", content: "Zürich" }] });
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  for (const name of Object.keys(sections)) {
    await page.locator(`#sections a[href="#/${name}"]`).focus();
    await page.keyboard.press("Enter");
    await page.locator("#section").getByText(sections[name]).first().waitFor();
    assert.equal(await page.locator("#bench").isVisible(), false);
    await page.locator("#outcome", { hasText: /\w/ }).waitFor({ state: "attached" });
  }
  await page.locator('#sections a[href="#/convert"]').focus();
  await page.keyboard.press("Enter");
  await settledAfter(page);
  assert.match(await page.locator("#source-editor .cm-content").innerText(), /Zürich/);
  await page.waitForFunction(() => location.hash.startsWith("#s="));
});

playground("the link that skips to the source keeps the work", async (page) => {
  await paste(page, { model: "gpt-5.1", messages: [{ role: "user", content: "Zürich" }] });
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await page.waitForTimeout(200);
  assert.match(await page.locator("#source-editor .cm-content").innerText(), /Zürich/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "source");
});

playground("an example of the menu leads back to the conversion", async (page) => {
  await go(page, "tools");
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator('[data-id="error-results"]').click();
  await page.locator("#about").getByText("Error results").waitFor();
  assert.equal(await page.locator("#section").isVisible(), false);
  await page.waitForFunction(() => location.hash === "#example=error-results");
});

playground("what was entered is shared by a link", async (page, { context }) => {
  await go(page, "tools");
  await page.locator('.cm-content[aria-label="Tool definitions"]').focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('[{"name":"shared_tool","input_schema":{"type":"object"}}]');
  await page.locator("#section option", { hasText: "shared_tool" }).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Share" }).click();
  const link = await copiedBy(page, page.getByRole("button", { name: "Copy link" }));
  await page.locator("#status", { hasText: "Link copied" }).waitFor();
  const other = await context.newPage();
  await other.goto(link);
  await other.locator("#section option", { hasText: "shared_tool" }).waitFor({ state: "attached" });
});
