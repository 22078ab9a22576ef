// The section of agents: a scripted model, with repairs and approvals, and what each provider is sent.

import assert from "node:assert/strict";
import { copiedBy, pasteInto, setUp } from "./support/page.mjs";

const { playground } = setUp({ hash: "#/agent" });

const steps = (page) => page.getByRole("region", { name: "Steps of the run" });
const says = (page, text) => page.locator(".said", { hasText: text }).waitFor();
const title = (page, text) => page.getByRole("heading", { name: text, exact: true }).waitFor();
const sent = async (page) => JSON.parse(await copiedBy(page, page.getByLabel("Copy the request")));

playground("a run shows turns, changes, repairs, and waits for a decision", async (page) => {
  await says(page, "The run waits after 3 requests: 1 call to decide");
  const text = await steps(page).innerText();
  assert.match(text, /I look at the weather\.[\s\S]*clamped \/days 9 → 7[\s\S]*Repair\s+invalid_to/);
  assert.match(text, /"error_type":"invalid_arguments"/);
  await page.getByRole("button", { name: "Allow" }).click();
  await says(page, "It ended after 4 requests: Your trip to Paris is booked.");
  assert.match(await steps(page).innerText(), /"booking":4711/);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Steps of the run");
  await page.locator("#outcome", { hasText: "It ended after 4 requests" }).waitFor({ state: "attached" });
});

playground("a call that is denied has an error as its result", async (page) => {
  await page.getByRole("button", { name: "Deny" }).click();
  await says(page, "It ended after 4 requests");
  assert.match(await steps(page).innerText(), /"error_type":"denied"/);
  await page.getByRole("button", { name: "Start again" }).click();
  await says(page, "The run waits");
});

playground("each request is shown as each provider is sent it", async (page) => {
  await title(page, "Request 3");
  assert.equal((await sent(page)).messages.at(-1).content[0].is_error, true);
  await steps(page).getByRole("button", { name: "show" }).first().click();
  await title(page, "Request 1");
  await page.locator(".output", { hasText: "input_schema" }).waitFor();
  assert.equal((await sent(page)).messages.length, 1);
  await page.getByLabel("Provider", { exact: true }).selectOption("gemini");
  await page.locator(".output", { hasText: "functionDeclarations" }).waitFor();
  assert.equal((await sent(page)).contents.length, 1);
});

playground("a script of one's own, with a tool that fails and a bound", async (page) => {
  const script = {
    messages: [{ role: "user", content: "Go" }],
    tools: [{ name: "f", description: "d", fails: "no luck" }],
    model: [{ calls: [{ name: "f", arguments: {} }] }, { calls: [{ name: "f", arguments: {} }] }, { text: "Sorry." }],
    maxIterations: 2,
  };
  await pasteInto(page, "Script", script);
  await says(page, "max_iterations");
  assert.match(await steps(page).innerText(), /no luck/);
  await pasteInto(page, "Script", { ...script, maxIterations: 5 });
  await says(page, "It ended after 3 requests: Sorry.");
  await page.waitForFunction(() => location.hash.startsWith("#/agent="));
});

playground("what is wrong with a script is named", async (page) => {
  await pasteInto(page, "Script", "{");
  await page.locator(".problem", { hasText: "JSON" }).waitFor();
  await pasteInto(page, "Script", { tools: [] });
  await page.locator(".problem", { hasText: "messages is a list" }).waitFor();
  await pasteInto(page, "Script", {
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ name: "f", parameters: { type: "objekt" } }],
  });
  await page.locator(".problem", { hasText: "type" }).waitFor();
});
