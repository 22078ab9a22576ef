// Each option of the options panel, one by one: it changes the output as the package's option does, and back.

import assert from "node:assert/strict";
import { conversionFlags, optionName } from "../../pkg-template/command/flags.js";
import { ask, effects } from "../package/support/flag-effects.mjs";
import { toolwire } from "./support/examples.mjs";
import { choose, copied, paste, settledAfter, setUp, show } from "./support/page.mjs";

const { playground } = setUp();

const lines = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } };
const usage = { type: "usage", usage: { input: 1, output: 2, total: 3 } };

/** The options of streams and errors, like `effects`. */
const others = [
  [
    "include-usage",
    true,
    "canonical",
    "openai",
    lines([{ type: "start" }, usage, { type: "finish", finishReason: "stop" }]),
    "stream",
  ],
  ["lenient-streams", true, "anthropic", "openai", lines([delta]), "stream"],
  ["max-event-bytes", "20", "canonical", "anthropic", lines([{ type: "start", id: "a long id" }]), "stream"],
  ["status", "429", "openai", "anthropic", { error: { message: "Slow down" } }, "error"],
];
/** They are given as JSON, or are about warnings, all of which the page lists. */
const notOffered = ["context", "model-facts", "bookkeeping"];

const rows = [...effects, ...others];

playground("the panel has each option that has a place there", async (page) => {
  await page.locator("#settings-button").click();
  await page.locator("#settings .setting").first().waitFor();
  const shown = await page.locator("#settings .setting code:first-child").allInnerTexts();
  const offered = conversionFlags.filter(({ flag }) => !notOffered.includes(flag));
  assert.deepEqual(shown.sort(), offered.map(optionName).sort());
  assert.deepEqual(rows.map(([flag]) => flag).sort(), offered.map(({ flag }) => flag).sort());
});

/** What the package gives: text, or the code of an error. */
function expected(kind, text, conversion) {
  const { convertRequest, convertResponse, convertError, convertStream } = toolwire;
  try {
    if (kind === "request") return compact(convertRequest(text, conversion));
    if (kind === "response") return compact(convertResponse(text, conversion));
    if (kind === "error") return compact(convertError(text, conversion));
    const converter = convertStream(conversion);
    const decoder = new TextDecoder();
    return decoder.decode(converter.push(new TextEncoder().encode(text))) + decoder.decode(converter.finish());
  } catch (error) {
    return error.code;
  }
}

const compact = (text) => JSON.stringify(JSON.parse(text));

/** The same of the page. */
async function shown(page, kind, to) {
  const failure = page.locator("#stage .failure code, #stage .failure-panel code").first();
  if (await failure.isVisible()) return failure.innerText();
  const text = await copied(page, to);
  return kind === "stream" ? text : compact(text);
}

/** Sets an option, as its row in the panel does. */
async function set(page, flag, value) {
  await page.locator("#settings-button").click();
  const control = page.locator(`#setting-${flag}`);
  await control.waitFor();
  if (await control.evaluate(({ tagName }) => tagName === "SELECT")) {
    await control.selectOption(value === true ? "on" : value);
  } else {
    await control.fill(value);
    await control.press("Enter");
  }
  await page.keyboard.press("Escape");
  await settledAfter(page);
}

for (const quarter of [0, 1, 2, 3]) {
  playground(`each option of the panel has its effect, quarter ${quarter + 1}`, async (page) => {
    for (const [flag, value, from, to, body, kind = "request"] of rows.filter((_, index) => index % 4 === quarter)) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      await paste(page, text);
      await choose(page, "Format", from);
      await choose(page, "Kind", kind);
      await show(page, to);
      const before = await shown(page, kind, to);
      const option = optionName({ flag });
      const given = /^\d+$/.test(value) ? Number(value) : value;
      await set(page, flag, value);
      assert.match(await page.locator("#settings-button").innerText(), /Options · 1/, flag);
      const after = await shown(page, kind, to);
      assert.notEqual(after, before, `${flag} has no effect`);
      assert.equal(after, expected(kind, text, { from, to, bookkeeping: true, [option]: given }), flag);
      await set(page, flag, "");
      assert.equal(await shown(page, kind, to), before, `${flag}, back to its default`);
    }
  });
}

playground("options that are not numbers are refused, with the reason", async (page) => {
  await paste(page, { messages: [ask] });
  await set(page, "default-max-tokens", "many");
  await page.locator("#status").getByText("defaultMaxTokens is a whole number").waitFor();
  assert.equal(await page.locator("#settings-button").innerText(), "Options");
});
