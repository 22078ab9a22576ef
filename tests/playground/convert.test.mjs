// Pasted text is detected and converted to every format, and its warnings lead to their positions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bases, dialects } from "../../build/generated/facts.js";
import { choose, copied, findings, output, paste, setUp, show, showExample } from "./support/page.mjs";

const { playground } = setUp();

const detected = async (page) => [
  await page.locator("#format option").first().innerText(),
  await page.locator("#kind option").first().innerText(),
];
const selected = (page) => page.evaluate(() => getSelection().toString());

playground("a first visit shows an example in every provider's format", async (page) => {
  await show(page, "all");
  const cards = await page.locator("[data-to]").evaluateAll((all) => all.map((card) => card.dataset.to));
  const others = dialects.filter((dialect) => !["openai", "universal"].includes(dialect) && !(dialect in bases));
  assert.deepEqual(cards.toSorted(), others.toSorted());
  assert.equal((await output(page, "anthropic")).messages[1].content[1].type, "tool_use");
  assert.equal((await output(page, "gemini")).contents[1].parts[1].functionCall.name, "get_weather");
  await page.getByText("Nothing leaves this browser").waitFor();
});

const pasted = [
  ["a request", { messages: [{ role: "user", content: "Hi" }], max_completion_tokens: 5 }, "OpenAI", "Request"],
  [
    "an answer",
    { type: "message", role: "assistant", content: [{ type: "text", text: "Hi" }] },
    "Anthropic",
    "Response",
  ],
  ["an error", { error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED" } }, "Gemini", "Error"],
  ["a body's tools alone", { tools: [{ type: "function", function: { name: "f" } }] }, "OpenAI", "Tools"],
  ["tools", [{ name: "f", input_schema: { type: "object" } }], "Anthropic", "Tools"],
  ["a result of Chat", { role: "tool", tool_call_id: "c", content: "x" }, "OpenAI", "Tool result"],
  ["a result of Anthropic", { type: "tool_result", tool_use_id: "c", content: "x" }, "Anthropic", "Tool result"],
  ["a result of Gemini", { functionResponse: { name: "f", response: { output: 1 } } }, "Gemini", "Tool result"],
  ["a canonical result", { toolCallId: "c", name: "f", kind: "text", value: "x" }, "Canonical", "Tool result"],
  ["a stream", 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]}}]}\n\n', "Gemini", "Stream"],
  [
    "a stream that is an array",
    [{ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] }],
    "Gemini",
    "Stream",
  ],
];
playground("what is pasted is recognised", async (page) => {
  for (const [what, source, format, kind] of pasted) {
    await paste(page, source);
    assert.deepEqual(await detected(page), [`${format} (auto)`, `${kind} (auto)`], what);
  }
});

playground("what fits several formats is taken for one, and says so", async (page) => {
  await paste(page, { model: "m", messages: [{ role: "user", content: "Hi" }] });
  assert.equal((await detected(page))[0], "OpenAI (auto)");
  await page.getByText(/It fits .*Anthropic.* and .* as well\./).waitFor();
  await choose(page, "Format", "anthropic");
  assert.equal(await page.locator('[data-to="anthropic"]').count(), 0);
  assert.deepEqual((await output(page, "openai")).messages, [{ role: "user", content: "Hi" }]);
});

playground("what fits none says so, and can be set", async (page) => {
  await paste(page, { messages: 7 });
  assert.match(await findings(page), /Not recognised[\s\S]*Choose format and kind/);
  await choose(page, "Format", "openai");
  await choose(page, "Kind", "request");
  assert.match(await findings(page), /invalid_type/);
});

playground("a result alone comes out as each provider's own, with its warnings", async (page) => {
  await paste(page, { type: "tool_result", tool_use_id: "toolu_1", content: "no", is_error: true });
  assert.deepEqual(await output(page, "openai"), { role: "tool", tool_call_id: "toolu_1", content: '{"error":"no"}' });
  assert.deepEqual((await output(page, "canonical")).value, "no");
  const { parts } = await output(page, "gemini");
  assert.deepEqual(parts[0].functionResponse.response, { error: "no" });
  await paste(page, { role: "tool", tool_call_id: "c", content: "x", colour: "red" });
  await page.getByRole("button", { name: "/colour" }).click();
  assert.equal(await selected(page), '"colour":"red"');
});

playground("a warning leads to its place", async (page) => {
  await page.getByRole("button", { name: "/seed" }).first().click();
  assert.equal(await selected(page), '"seed": 7');
  await page.waitForFunction(() => {
    const editor = document.querySelector("#source-editor").getBoundingClientRect();
    const place = getSelection().getRangeAt(0).getBoundingClientRect();
    return place.top > editor.top && place.bottom < editor.bottom;
  });
  const mark = page.locator(".cm-finding-lossy", { hasText: "seed" }).first();
  await mark.hover();
  await page.locator(".cm-tooltip").getByText("Anthropic has no").first().waitFor();
});

playground("errors have a place as well, in JSON and where it breaks off", async (page) => {
  await paste(page, '{"messages":[{"role":"user","content":"é"},{"role":"user","content":7}]}');
  await choose(page, "Format", "openai");
  await page.getByRole("button", { name: "/messages/1/content" }).click();
  assert.equal(await selected(page), '"content":7');
  await paste(page, '{"messages":[{"role":"user","content":"é"},]}');
  await page.getByRole("button", { name: "Keep what was pasted" }).click();
  await page.getByRole("button", { name: "whole source" }).click();
  assert.equal(await selected(page), "]");
  assert.match(await findings(page), /invalid_json/);
});

playground("what keeps everything from being converted is told once; nothing is nothing", async (page) => {
  await paste(page, '{"messages":[');
  await page.getByRole("button", { name: "Keep what was pasted" }).click();
  await page.locator("#findings").getByText("invalid_json").waitFor();
  assert.equal(await page.locator("#stage .failure-panel").count(), 1);
  await paste(page, "  ");
  assert.equal(await findings(page), "");
  await page.getByText("is shown here").waitFor();
  await page.locator("#source-editor").getByText("Paste what one").waitFor({ state: "hidden" });
});

playground("one format alone, and what an option does to it", async (page) => {
  await show(page, "gemini");
  assert.equal(await page.locator("[data-to]").count(), 1);
  const schema = (tool) => Object.keys(tool.functionDeclarations[0]).at(-1);
  assert.equal(schema((await output(page, "gemini")).tools[0]), "parametersJsonSchema");
  await page.getByRole("button", { name: "Options" }).click();
  await choose(page, /geminiSchema/, "openapi");
  assert.equal(schema((await output(page, "gemini")).tools[0]), "parameters");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Code" }).click();
  await page.locator("#code [data-language]").first().waitFor();
  assert.match(await page.locator("#code pre").innerText(), /geminiSchema: "openapi"/);
});

playground("round trips: the same again, or what differs", async (page) => {
  await show(page, "canonical");
  await page.locator("[data-mode=trip]").getByText("same", { exact: true }).waitFor();
  await show(page, "roundTrip");
  await page.getByText("the same, byte for byte").waitFor();
  await show(page, "universal");
  await page.getByText("It came back changed").waitFor();
  assert.ok((await page.locator("#stage del").count()) > 0);
});

playground("copy and download", async (page) => {
  const text = await copied(page, "anthropic");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Download the output").click()]);
  assert.equal(download.suggestedFilename(), "request.anthropic.json");
  assert.equal(readFileSync(await download.path(), "utf8"), text);
});

playground("an exchange: what the server answers, and what the client gets of it", async (page) => {
  await showExample(page, "names-and-ids");
  await show(page, "anthropic");
  await show(page, "exchange");
  const answer = page.getByLabel("The server's response");
  const returned = () => page.locator(".exchange .cm-content").innerText();
  const { content } = JSON.parse(await answer.inputValue());
  const { name } = content.find(({ type }) => type === "tool_use");
  const tools = toolNames(await page.locator("#source-editor .cm-content").innerText());
  // The name that the server knows is not the client's, which gets its own back.
  assert.ok(!tools.includes(name), name);
  await page.waitForFunction(() => document.querySelector(".exchange .cm-content")?.textContent.includes("toolCalls"));
  assert.ok(tools.includes(JSON.parse(await returned()).message.toolCalls[0].name));
  await page.getByText("Restored from the request’s context").waitFor();
  await answer.fill(
    '{"type":"message","role":"assistant","content":[{"type":"text","text":"Bonjour"}],"stop_reason":"end_turn"}',
  );
  await page.waitForFunction(() => document.querySelector(".exchange .cm-content")?.textContent.includes("Bonjour"));
  await answer.fill("{");
  await page.locator(".exchange-notes .error").waitFor();
});

const toolNames = (text) => [...text.matchAll(/"name": "([^"]+)"/g)].map(([, name]) => name);
