// The section of tools: hints about definitions, arguments that are checked as they are typed, schemas for each provider.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { copiedBy, pasteInto, setUp, typeInto } from "./support/page.mjs";

const require = createRequire(import.meta.url);
const { convertRequest } = require("../../pkg/dist/index.cjs");
const { Toolkit } = require("../../pkg/dist/toolkit/index.cjs");
const { playground } = setUp({ hash: "#/tools" });

const definitions = "Tool definitions";
const given = "Arguments, as a model writes them";
const says = (page, text) => page.locator(".said", { hasText: text }).waitFor();
const checked = (page) => page.getByRole("region", { name: "What becomes of the arguments" });
const hints = (page) => page.locator(".panel .findings").first();
const selected = (page) => page.evaluate(() => getSelection().toString());

const parameters = {
  type: "object",
  properties: { city: { type: "string", description: "The city." }, days: { type: "integer", maximum: 7 } },
  required: ["city"],
};

playground("hints are those of the toolkit, and lead to their places", async (page) => {
  await page.getByRole("heading", { name: "5 hints" }).waitFor();
  await page.locator("button.path", { hasText: "/1/function/parameters/properties/when" }).click();
  assert.match(await selected(page), /^"when"/);
  const mcp = { tools: [{ name: "look_up", description: "Looks up the weather of a city.", inputSchema: parameters }] };
  await pasteInto(page, definitions, mcp);
  const expected = new Toolkit(mcp.tools).lint();
  assert.equal(expected.length, 1);
  await page.getByRole("heading", { name: "1 hint" }).waitFor();
  await page.getByText("Read as tools of an MCP server").waitFor();
  assert.match(await hints(page).innerText(), /Describe what days is/);
  await page.locator("button.path", { hasText: "/0/parameters/properties/days" }).click();
  assert.match(await selected(page), /^"days"/);
});

playground("arguments are checked while they are typed", async (page) => {
  await says(page, "The call runs after 6 changes");
  assert.match(await checked(page).innerText(), /clamped\s*\/days\s*9\s*→\s*7/);
  assert.match(await checked(page).innerText(), /"units": "celsius"/);
  await pasteInto(page, given, '{"city":"Paris"}');
  await says(page, "The call runs after 1 change");
  await pasteInto(page, given, '{"city":"Paris","days":2}');
  await says(page, "The call runs as it is");
  await page.keyboard.press("Backspace");
  await says(page, "The call can't run");
  assert.match(await checked(page).innerText(), /The model receives/);
  await typeInto(page, given, '{"city":"Paris","colour":1}');
  await says(page, "The call can't run: 1 problem");
  await checked(page).locator("button.path").first().click();
  assert.equal(await selected(page), '"colour":1');
});

playground("coercion, clamping and repair can be turned off", async (page) => {
  await pasteInto(page, given, '{"city":"Paris","days":"9"}');
  await says(page, "The call runs after 2 changes");
  await page.getByLabel("clamp").uncheck();
  await says(page, "The call can't run: 1 problem");
  assert.match(await checked(page).innerText(), /out_of_range/);
  await page.getByLabel("coerce").uncheck();
  await page.locator(".panel code", { hasText: "wrong_type" }).waitFor();
  await pasteInto(page, given, "{'city': 'Paris', 'days': 2}");
  await says(page, "The call runs after 3 changes");
  await page.getByLabel("repair").uncheck();
  await page.locator(".panel code", { hasText: "invalid_json" }).waitFor();
  await page.getByLabel("Tool", { exact: true }).selectOption("book_trip");
  await page.locator("#outcome", { hasText: "book_trip: The call can't run" }).waitFor({ state: "attached" });
});

playground("each provider's definitions are those of the conversion, with what is lost", async (page) => {
  const copied = async () => JSON.parse(await copiedBy(page, page.getByLabel("Copy the tools")));
  const tools = [{ name: "f", description: "d", input_schema: parameters, input_examples: [{ city: "Rome" }] }];
  const request = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }], tools };
  await pasteInto(page, definitions, tools);
  await page.locator(".panel .findings").last().getByText("/0/input_examples").waitFor();
  assert.deepEqual(await copied(), convertRequest(request, { from: "anthropic", to: "gemini" }).tools);
  await page.getByLabel("Provider", { exact: true }).selectOption("ollama");
  await page.waitForFunction(() => document.querySelector(".output").innerText.includes('"function"'));
  assert.deepEqual(await copied(), convertRequest(request, { from: "anthropic", to: "ollama" }).tools);
});

playground("what is no definition is named, and work is kept", async (page) => {
  await pasteInto(page, definitions, "hello");
  await page.locator(".panel .problem").waitFor();
  await pasteInto(page, definitions, [{ name: "kept_tool", input_schema: { type: "objekt" } }]);
  await page.locator(".panel .problem", { hasText: "type" }).waitFor();
  await page.waitForFunction(() => location.hash.startsWith("#/tools="));
  await page.reload();
  await page.getByText("kept_tool").first().waitFor();
  assert.equal(await page.locator("#sections [aria-current]").innerText(), "Tools");
  await page.locator(".panel .problem", { hasText: "type" }).waitFor();
});

playground("a dropped file becomes the definitions", async (page) => {
  await page.locator(".said").waitFor();
  await page.evaluate(
    (text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "tools.json"));
      document
        .querySelector("#section")
        .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    JSON.stringify([{ name: "dropped_tool", parameters }]),
  );
  await page.locator("option", { hasText: "dropped_tool" }).waitFor({ state: "attached" });
  await says(page, "The call");
});
