// Work is not lost, and what was chosen for one source does not apply to the next.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  choose,
  copiedBy,
  findings,
  openFragment,
  output,
  paste,
  settledAfter,
  setUp,
  show,
  showExample,
} from "./support/page.mjs";

const { playground } = setUp();
const body = { model: "gpt-5.1", messages: [{ role: "user", content: "Zürich" }], seed: 3 };
const toast = (page, text) => page.locator("#status:not(.hidden)").getByText(text).waitFor();
const source = (page) => page.locator("#source-editor .cm-content").innerText();
/** The address follows after a pause. */
const addressed = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(location.hash), pattern);

playground("what was pasted is there after reloading, and so is what was chosen", async (page) => {
  await paste(page, body);
  await show(page, "gemini");
  await addressed(page, "^#s=");
  await page.reload();
  await settledAfter(page);
  assert.match(await source(page), /Zürich/);
  assert.ok((await output(page, "gemini")).contents);
  assert.equal(await page.locator('[role=tab][aria-selected="true"]').getAttribute("data-view"), "gemini");
});

playground("work that is too long for an address is there after reloading", async (page) => {
  const words = Array.from({ length: 3000 }, (_, index) => `${index * 7919} ${(index * 104729).toString(36)}`).join(
    " ",
  );
  await paste(page, { messages: [{ role: "user", content: words }] });
  await addressed(page, "^#draft$");
  await page.reload();
  await settledAfter(page);
  assert.equal((await output(page, "anthropic")).messages[0].content, words);
});

playground("the address names the example that is shown", async (page) => {
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator('[data-id="error-results"]').click();
  await settledAfter(page);
  await addressed(page, "example=error-results");
  await page.reload();
  await settledAfter(page);
  await page.locator("#about").getByText("Error results").waitFor();
});

playground("an example that does not exist is named, and so is a damaged link", async (page) => {
  await openFragment(page, "example=nonsense");
  await toast(page, "no example “nonsense”");
  await openFragment(page, "s=!!!");
  await toast(page, "link is damaged");
});

playground("what can't be indented is answered where it is seen", async (page) => {
  await paste(page, "data: x");
  await page.getByLabel("Indent the JSON").click();
  await page.locator("#status:not(.hidden)", { hasText: "Only JSON can be indented" }).waitFor();
});

playground("options of an example end with it", async (page) => {
  await showExample(page, "schema-gemini-rejects");
  await page.getByRole("button", { name: "Options · 1" }).waitFor();
  await paste(page, {
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", function: { name: "f" } }],
  });
  assert.equal(await page.getByRole("button", { name: "Options · 1" }).count(), 0);
});

playground(
  "a format that was set does not apply to what is pasted next, and detection is one click away",
  async (page) => {
    await choose(page, "Format", "gemini");
    await paste(page, { type: "message", role: "assistant", content: [{ type: "text", text: "Hi" }] });
    assert.equal(await page.locator("#format").inputValue(), "");
    await choose(page, "Format", "gemini");
    assert.match(await findings(page), /Not recognised/);
    await page.getByRole("button", { name: "Detect format and kind" }).click();
    await settledAfter(page);
    assert.match(await page.locator("#format option").first().innerText(), /Anthropic/);
  },
);

playground("a dropped file takes the place of the source", async (page) => {
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "request.json"));
    const target = document.querySelector("#source-editor .cm-content");
    target.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, clientX: 200, clientY: 300 }),
    );
  }, JSON.stringify(body));
  await settledAfter(page);
  assert.equal(await source(page), JSON.stringify(body));
});

playground("a file is opened", async (page) => {
  const chooser = page.waitForEvent("filechooser");
  await page.getByLabel("Open a file").click();
  await (await chooser).setFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(body)),
  });
  await page.waitForFunction(() => document.querySelector("#source-editor").innerText.includes("Zürich"));
});

playground("a model of another provider is named, and can be replaced", async (page) => {
  await page.locator("#model-doubt").getByText("gpt-5.4 is not a model of Anthropic").waitFor();
  await page.getByLabel("model", { exact: true }).fill("claude-opus-5.5");
  await page.keyboard.press("Enter");
  await settledAfter(page);
  assert.equal((await output(page, "anthropic")).model, "claude-opus-5.5");
  assert.equal(await page.locator("#model-doubt").innerText(), "");
  await show(page, "openai");
  await page.locator("#model-doubt").getByText("claude-opus-5.5 is not a model of OpenAI").waitFor();
});

playground("what its own API would not accept of a request is named, and is one click away", async (page) => {
  const call = { functionCall: { name: "f", args: {} } };
  const contents = [
    { role: "user", parts: [{ text: "Hi" }] },
    { role: "model", parts: [call] },
    { role: "user", parts: [{ text: "Never mind" }] },
  ];
  await paste(page, { contents, tools: [{ functionDeclarations: [{ name: "f g", parameters: { type: "object" } }] }] });
  await page.getByText("Gemini itself would not accept 2 parts of this").waitFor();
  await page.getByRole("button", { name: "Show why" }).click();
  await settledAfter(page);
  const doubts = page.locator("#model-doubt");
  await doubts.getByText("this call has no result").waitFor();
  await doubts.getByText("the tool is sent with the name f_g").waitFor();
  assert.deepEqual((await output(page, "gemini")).contents, contents);
  const parameters = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { $id: { const: "x" } },
  };
  await paste(page, { contents: contents.slice(0, 1), tools: [{ functionDeclarations: [{ name: "f", parameters }] }] });
  await doubts.getByText("parameters of f has $schema, const, which only parametersJsonSchema takes").waitFor();
  await paste(page, { contents: contents.slice(0, 1) });
  assert.equal(await page.getByText("itself would not accept").count(), 0);
  assert.equal(await doubts.innerText(), "");
});

playground("calls of a pasted text are one click away from their places", async (page) => {
  const text = 'I look.\n<tool_call>\n{"name": "look_up", "arguments": {"city": "Bern"}}\n</tool_call>';
  await paste(page, text);
  await page.getByRole("button", { name: "Show its calls" }).click();
  await page.locator(".calls .path", { hasText: "look_up" }).click();
  assert.match(await page.evaluate(() => getSelection().toString()), /^<tool_call>/);
});

playground("options that take text, numbers or nothing", async (page) => {
  await page.getByRole("button", { name: "Options" }).click();
  await page.getByLabel(/^defaultMaxTokens/).fill("77");
  await page.keyboard.press("Tab");
  await page.getByLabel(/^stream/).selectOption("on");
  await page.keyboard.press("Escape");
  await settledAfter(page);
  const { max_tokens, stream } = await output(page, "anthropic");
  assert.deepEqual([max_tokens, stream], [77, true]);
});

playground("the search finds what is not in sight", async (page) => {
  const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}`);
  await paste(page, JSON.stringify({ messages: [{ role: "user", content: "Hi" }], metadata: { lines } }, undefined, 2));
  await page.keyboard.press("ControlOrMeta+f");
  await page.locator(".cm-search input").first().pressSequentially("line 1500");
  await page.keyboard.press("Enter");
  await page.locator("#source-editor .cm-line", { hasText: '"line 1500"' }).waitFor();
});

playground("a code is explained, and a target's name leads to it", async (page) => {
  await show(page, "all");
  await page.getByRole("button", { name: "setting_dropped" }).first().click();
  await page.locator(".meaning").getByText("A setting of the request that the target").waitFor();
  assert.equal(
    await page.getByTitle("The format that is the reason").count(),
    0,
    "the targets stand beside each message",
  );
  await page.locator("#findings .chip", { hasText: "Ollama" }).first().click();
  await settledAfter(page);
  assert.equal(await page.locator('[role=tab][aria-selected="true"]').getAttribute("data-view"), "ollama");
  const reasons = await page.getByTitle("The format that is the reason").allInnerTexts();
  assert.ok(reasons.length > 0 && reasons.every((name) => name === "Ollama"), reasons.join());
});

playground("a cell of the matrix leads to its place", async (page) => {
  await show(page, "matrix");
  await page.getByRole("button", { name: "seed, Anthropic: lost in part" }).click();
  assert.equal(await page.evaluate(() => getSelection().toString()), '"seed": 7');
  assert.equal(await page.getByRole("button", { name: "seed, Gemini: carried" }).count(), 1);
});

playground("the page names its version, and has what previews need", async (page) => {
  const { version } = JSON.parse(readFileSync(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  assert.equal(await page.locator("#version").innerText(), version);
  for (const name of ["title", "description", "image"]) {
    assert.ok(await page.locator(`meta[property="og:${name}"]`).getAttribute("content"));
  }
});

playground("what is shown is copied as Markdown, and as a report", async (page) => {
  const taken = async (item) => {
    await page.getByRole("button", { name: "Share" }).click();
    const text = await copiedBy(page, page.getByRole("button", { name: item }));
    await page.locator("#status", { hasText: "copied" }).waitFor();
    return text;
  };
  const markdown = await taken("Copy as Markdown");
  assert.match(markdown, /\*\*OpenAI request\*\*[\s\S]*```json[\s\S]*\*\*for Anthropic\*\*[\s\S]*"tool_use"/);
  assert.match(markdown, /- \*\*lost\*\* `setting_dropped` `\/seed`/);
  assert.match(markdown, /\(http:\/\/127\.0\.0\.1:\d+\/some\/path\/#example=parallel-calls\)/);
  assert.match(await taken("Report a wrong conversion"), /toolwire \d+\.\d+\.\d+, openai → anthropic, options \{\}/);
});
