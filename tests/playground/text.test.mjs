// The section of text: calls and their places, the prompt and the grammar of a format.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { copiedBy, pasteInto, settledAfter, setUp } from "./support/page.mjs";

const { parseToolText, TEXT_FORMATS, callsAsText, toolGrammar, toolPrompt } = createRequire(import.meta.url)(
  "../../pkg/dist/text/index.cjs",
);
const { playground } = setUp({ hash: "#/text" });

const editor = "Text of a model";
const says = (page, text) => page.locator(".said", { hasText: text }).waitFor();
const selected = (page) => page.evaluate(() => getSelection().toString());
const callRow = (page, index) => page.locator(".calls > li").nth(index);
const format = (page) => page.locator("#section").getByLabel("Format", { exact: true });
const model = (page) => page.locator("#section").getByLabel("Model", { exact: true });
const tools = [
  { name: "get_weather", description: "d", parameters: { type: "object", properties: { city: { type: "string" } } } },
  { name: "get_fare", description: "d", parameters: { type: "object", properties: { to: { type: "string" } } } },
];
const messageTo = (to) => ({
  role: "assistant",
  content: "I look up both.",
  toolCalls: [
    { id: "call00001", name: "get_weather", arguments: { city: "Paris" } },
    { id: "call00002", name: "get_fare", arguments: { to } },
  ],
});

playground("calls lead to their places, and places to their calls", async (page) => {
  await says(page, "2 calls in the format hermes_json");
  await callRow(page, 1).getByRole("button", { name: "get_fare" }).click();
  assert.match(await selected(page), /^<tool_call>\n\{"name": "get_fare"[^<]*<\/tool_call>$/);
  await page.locator(".linked.current", { hasText: "get_fare" }).waitFor();
  await page.locator("#section .cm-line", { hasText: "get_weather" }).first().click();
  await page.waitForFunction(() => document.querySelector(".calls > li").hasAttribute("data-current"));
});

playground("in each format with places, a call's place has its own name and no other", async (page, { diagnostic }) => {
  await pasteInto(page, "Tool definitions", tools);
  const exact = [];
  const broad = [];
  for (const { id } of TEXT_FORMATS.filter(({ id }) => id !== "none")) {
    const to = `Lyon ${id}`;
    const text = callsAsText(messageTo(to), id);
    const { toolCalls } = parseToolText(text, { format: id, tools });
    if (toolCalls.length !== 2) continue;
    await format(page).selectOption(id);
    await pasteInto(page, editor, text);
    await says(page, `2 calls in the format ${id}`);
    await callRow(page, 1).getByText(to).waitFor();
    for (const [index, { name }] of toolCalls.entries()) {
      await callRow(page, index).getByRole("button", { name }).click();
      const place = await selected(page);
      assert.ok(place.includes(name), `${id}: ${JSON.stringify(place)}`);
      const other = toolCalls[1 - index].name;
      (place.includes(other) ? broad : exact).push(id);
    }
  }
  diagnostic(`exact: ${exact.length}, with both calls: ${[...new Set(broad)].join(", ")}`);
  assert.ok(exact.length > 60, `${exact.length}`);
  assert.deepEqual(broad, []);
});

playground("what a call that can't be read is, and text without any", async (page) => {
  await pasteInto(page, editor, '<tool_call>\n{"name": "get_weather", "arguments": {"city": }}\n</tool_call>');
  await format(page).selectOption("hermes_json");
  await page
    .locator(".said.lossy", { hasText: "not readable" })
    .or(page.locator(".said", { hasText: "No calls" }))
    .waitFor();
  await pasteInto(page, editor, "Good morning");
  await says(page, "No calls");
});

playground("the prompt and the grammar are those of the package", async (page) => {
  const definitions = "Tool definitions";
  await pasteInto(page, definitions, tools);
  await format(page).selectOption("qwen3_xml");
  const copied = (name) => copiedBy(page, page.getByLabel(`Copy the ${name}`));
  const written = page.locator(".panel", { hasText: "Prompt" }).locator(".cm-content");
  await page.waitForFunction(() => document.querySelectorAll(".output")[0].innerText.includes("<function="));
  assert.equal(await copied("prompt"), toolPrompt(tools, { format: "qwen3_xml" }));
  await page.getByLabel("Definitions", { exact: true }).selectOption("typescript");
  await page.waitForFunction(() => document.querySelectorAll(".output")[0].innerText.includes("city?:"));
  assert.equal(await copied("prompt"), toolPrompt(tools, { format: "qwen3_xml", definitions: "typescript" }));
  assert.equal(await copied("grammar"), toolGrammar(tools, { format: "qwen3_xml", syntax: "gbnf" }).grammar);
  await page.getByLabel("Syntax").selectOption("lark");
  await page.waitForFunction(() => document.querySelectorAll(".output")[1].innerText.includes("start:"));
  assert.equal(await copied("grammar"), toolGrammar(tools, { format: "qwen3_xml", syntax: "lark" }).grammar);
  assert.ok((await written.count()) > 0);
});

playground("a model's name chooses its format", async (page) => {
  await model(page).fill("Qwen/Qwen3-Coder-480B-A35B-Instruct");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#status").textContent.includes("qwen3_xml"));
  assert.equal(await format(page).inputValue(), "qwen3_xml");
  await model(page).fill("nobody/nothing");
  await page.keyboard.press("Enter");
  await page.locator("#status", { hasText: "No format is known" }).waitFor();
});

playground("what was read is converted", async (page) => {
  await says(page, "2 calls");
  await page.getByRole("button", { name: "Convert this response" }).click();
  await settledAfter(page);
  await page.locator("#stage", { hasText: "tool_use" }).waitFor();
  await page.waitForFunction(() => location.hash.startsWith("#s="));
});
