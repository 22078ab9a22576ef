// Streams that are played event by event.

import assert from "node:assert/strict";
import { choose, findings, output, paste, setUp, show, showExample } from "./support/page.mjs";

const { playground } = setUp({ hash: "#example=stream-openai" });

const response = (page) => page.locator(".response").innerText();
const seek = (page, event) => page.getByLabel("Event", { exact: true }).fill(String(event));
const counter = (page) => page.locator(".counter").innerText();
/** Goes to an event, and returns its row. */
async function row(page, number) {
  await seek(page, number);
  return page.locator(`.step[aria-posinset="${number}"]`);
}

playground("each event of the wire has its canonical events and what goes out beside it", async (page) => {
  assert.match(
    await response(page),
    /Let me look up both\.[\s\S]*get_weather[\s\S]*complete[\s\S]*get_fare[\s\S]*finish: tool_calls/,
  );
  assert.match(
    await (await row(page, 5)).innerText(),
    /toolCallStart[\s\S]*get_weather · call_weather[\s\S]*content_block_start/,
  );
  // The second call waits: Anthropic's blocks do not overlap.
  assert.match(await (await row(page, 8)).innerText(), /toolCallStart[\s\S]*held back/);
});

playground("the calls grow from event to event, forwards and backwards", async (page) => {
  await page.getByLabel("Back to the start").click();
  assert.match(await response(page), /shown here as it arrives/);
  await seek(page, 5);
  assert.match(await response(page), /get_weather\s+arriving\s+\{"city":\s+call_weather/);
  await page.getByLabel("Next event").click();
  assert.match(await response(page), /\{"city":"Paris",/);
  assert.equal(await counter(page), "6 / 13");
  await page.getByLabel("Event", { exact: true }).focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await counter(page), "5 / 13");
  await page.locator("#source-editor .cm-frame").first().waitFor();
});

playground("it plays by itself, and pauses", async (page) => {
  await choose(page, "Speed", "fast");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  await page.getByText("13 / 13").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
});

playground("another target, and whole streams side by side", async (page) => {
  await show(page, "gemini");
  assert.match(await (await row(page, 5)).innerText(), /held back/);
  await show(page, "all");
  await page.locator('[data-to="anthropic"]').getByText("message_start").first().waitFor();
  await show(page, "anthropic");
  await show(page, "roundTrip");
  await page.getByText(/It came back/).waitFor();
});

playground("of a stream of 2,000 events, the rows in sight are built, and no others", async (page) => {
  const chunk = (text) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: { content: text } }],
  });
  const chunks = Array.from({ length: 2000 }, (_, index) => `data: ${JSON.stringify(chunk(`w${index} `))}\n\n`);
  await paste(page, chunks.join(""));
  await page.getByText(/^200\d \/ 200\d$/).waitFor();
  for (const event of [1, 1000, 1500, 20]) {
    assert.match(await (await row(page, event)).innerText(), new RegExp(`w${event - 1} `));
    assert.match(await response(page), new RegExp(`w${event - 1}$`));
    assert.ok((await page.locator(".step").count()) < 25);
  }
});

playground("a stream that broke off", async (page) => {
  await showExample(page, "stream-broken-off");
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
  assert.equal(await page.locator('[data-mode="play"]').count(), 0);
  assert.equal((await output(page, "anthropic")).content[0].text, "Hi");
});
