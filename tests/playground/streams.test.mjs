// Streams that are played event by event.

import assert from "node:assert/strict";
import { choose, findings, output, paste, settled, setUp, show } from "./support/page.mjs";

const { playground } = setUp({ hash: "#example=stream-openai" });

const response = (page) => page.locator(".response").innerText();
const row = (page, number) => page.locator(".step").nth(number - 1);
const visibleSteps = (page) => page.locator(".step:not([data-later])").count();
const seek = (page, event) => page.getByLabel("Event", { exact: true }).fill(String(event));

playground("each event of the wire has its canonical events and what goes out beside it", async (page) => {
  assert.match(
    await response(page),
    /Let me look up both\.[\s\S]*get_weather[\s\S]*complete[\s\S]*get_fare[\s\S]*finish: tool_calls/,
  );
  assert.match(
    await row(page, 5).innerText(),
    /toolCallStart[\s\S]*get_weather · call_weather[\s\S]*content_block_start/,
  );
  // The second call waits: Anthropic's blocks do not overlap.
  assert.match(await row(page, 8).innerText(), /toolCallStart[\s\S]*held back/);
});

playground("the calls grow from event to event, forwards and backwards", async (page) => {
  await page.getByLabel("Back to the start").click();
  assert.match(await response(page), /shown here as it arrives/);
  await seek(page, 5);
  assert.match(await response(page), /get_weather\s+arriving\s+\{"city":\s+call_weather/);
  await page.getByLabel("Next event").click();
  assert.match(await response(page), /\{"city":"Paris",/);
  assert.equal(await visibleSteps(page), 6);
  await page.getByLabel("Event", { exact: true }).focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await visibleSteps(page), 5);
  assert.ok((await page.locator("#source-editor .cm-frame").count()) > 0);
});

playground("it plays by itself, and pauses", async (page) => {
  await choose(page, "Speed", "fast");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  await page.getByText("13 / 13").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
});

playground("another target, and whole streams side by side", async (page) => {
  await choose(page, "Wire out", "gemini");
  assert.match(await row(page, 5).innerText(), /held back/);
  await show(page, "all");
  await page.locator('[data-to="anthropic"]').getByText("message_start").first().waitFor();
  await show(page, "roundTrip");
  await page.getByText(/It came back/).waitFor();
});

playground("a stream that broke off", async (page) => {
  await page.evaluate(() => {
    location.hash = "example=stream-broken-off";
  });
  await page.waitForTimeout(50);
  await settled(page);
  await page.locator(".response").getByText("not a JSON object").first().waitFor();
  assert.match(await findings(page), /stream_truncated/);
});

playground("an answer that is none leads to the event that breaks it", async (page) => {
  const events = [
    '{"choices":[{"index":0,"delta":{"content":"Hi"}}]}',
    '{"choices":[{"index":0,"delta":{"content":7}}]}',
  ];
  await paste(page, events.map((event) => `data: ${event}\n\n`).join(""));
  assert.match(await findings(page), /invalid_type/);
  await page.locator("#findings button.path").first().click();
  assert.match(await page.evaluate(() => getSelection().toString()), /"content":7/);
});

playground("a single answer is no stream", async (page) => {
  await paste(page, { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] });
  assert.equal(await page.locator('[data-view="play"]').count(), 0);
  assert.equal((await output(page, "anthropic")).content[0].text, "Hi");
});
