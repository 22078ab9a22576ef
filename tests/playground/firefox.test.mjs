// The page in Firefox: it converts, plays, opens its sections and reports no errors. Skipped where Firefox is not installed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findFirefox, openFirefox } from "./support/firefox.mjs";
import { serve } from "./support/page.mjs";

const firefox = findFirefox();
const skip = firefox ? false : "Firefox is not installed (Debian: firefox-esr)";

const text = (selector) => `(document.querySelector(${JSON.stringify(selector)})?.innerText ?? "")`;
const contains = (selector, words) => `${text(selector)}.includes(${JSON.stringify(words)})`;
const click = (selector) => `document.querySelector(${JSON.stringify(selector)}).click()`;

/** Each section, with what it shows when it is done. */
const sections = {
  tools: "The call runs",
  text: "2 calls in the format hermes_json",
  agent: "The run waits",
  facts: "rows of models",
};

test("the page works in Firefox", { skip, timeout: 90_000 }, async (context) => {
  const server = await serve();
  context.after(() => server.close());
  const page = await openFirefox(firefox);
  context.after(() => page.close());
  context.diagnostic(`Firefox ${page.version}`);
  await page.goTo(server.url);
  await page.until(contains("#stage", "tool_use"));
  await page.until(contains(".verdict-word", "changed"));

  await page.evaluate(`document.querySelector("#source-editor .cm-content").focus()`);
  await page.control("a");
  await page.type('{"messages":[{"role":"user","content":"Gr\\u00fcezi"}],"max_tokens":7}');
  await page.until(contains("#stage", '"max_tokens": 7'));
  await page.until(contains("#stage", "Gr\\u00fcezi"));

  await page.evaluate(`(location.hash = "example=stream-openai")`);
  await page.until(contains(".player", "get_weather"));
  assert.match(await page.evaluate(text(".counter")), /13 \/ 13/);

  for (const [name, words] of Object.entries(sections)) {
    await page.evaluate(click(`#sections a[href="#/${name}"]`));
    await page.until(contains("#section", words));
  }
  await page.evaluate(click('#sections a[href="#/convert"]'));
  await page.until(contains(".player", "get_weather"));
  assert.deepEqual(page.problems, []);
});
