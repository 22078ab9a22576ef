// What people paste is read, the page states what it read, and one click goes back.

import assert from "node:assert/strict";
import { findings, output, paste, settledAfter, setUp, show } from "./support/page.mjs";
import { pasted } from "./support/pasted.mjs";

const { playground } = setUp();
const source = (page) => page.locator("#source-editor .cm-content").innerText();
/** Without the programs that speak a format, and without whether it was detected. */
const selected = (page, id) =>
  page.locator(`#${id}`).evaluate((select) => select.selectedOptions[0].textContent.replace(/ \(auto\)| · .*/, ""));

const parts = 3;
for (let part = 0; part < parts; part++) {
  playground(`what people paste is read, part ${part + 1} of ${parts}`, async (page) => {
    for (const [what, text, format, kind, steps] of pasted.filter((_, index) => index % parts === part)) {
      await paste(page, text);
      const about = page.locator("#about .reading");
      if (steps) await about.waitFor({ timeout: 5000 }).catch(() => {});
      await settledAfter(page);
      const read = (await about.count()) > 0 ? await about.innerText() : "";
      assert.deepEqual(
        [await selected(page, "format"), await selected(page, "kind")],
        [format, kind],
        `${what}: ${read}`,
      );
      assert.doesNotMatch(await findings(page), /Not recognised|\d errors?\b/, what);
      if (steps) assert.match(read, steps, what);
      else assert.equal(read, "", what);
      assert.equal(await page.locator("#stage .failure-panel, #stage .failure").count(), 0, what);
    }
  });
}

playground("one click brings back what was pasted", async (page) => {
  const text = "{'messages': [{'role': 'user', 'content': 'Hi'}], 'max_completion_tokens': 5}";
  await paste(page, text);
  await page.getByText("Read as Python, with").waitFor();
  assert.deepEqual(JSON.parse(await source(page)), {
    messages: [{ role: "user", content: "Hi" }],
    max_completion_tokens: 5,
  });
  await page.getByRole("button", { name: "Keep what was pasted" }).click();
  await settledAfter(page);
  assert.equal(await source(page), text);
  assert.equal(await page.locator(".reading").count(), 0);
});

playground("pieces come out as pieces of the target", async (page) => {
  await paste(page, { id: "c1", type: "function", function: { name: "f", arguments: '{"a":10.00}' } });
  await settledAfter(page);
  assert.deepEqual(await output(page, "anthropic"), { type: "tool_use", id: "c1", name: "f", input: { a: 10 } });
  assert.deepEqual((await output(page, "gemini")).functionCall.args, { a: 10 });
  await paste(page, [
    { role: "system", content: "s" },
    { role: "user", content: "Hi", colour: "red" },
  ]);
  await settledAfter(page);
  const { system, messages } = await output(page, "anthropic");
  assert.deepEqual([system[0]?.text ?? system, messages.length], ["s", 1]);
  await page.getByRole("button", { name: "/1/colour" }).click();
  assert.equal(await page.evaluate(() => getSelection().toString()), '"colour":"red"');
  await paste(page, { type: "object", properties: { n: { type: "integer", minimum: 0 } } });
  await settledAfter(page);
  assert.equal((await output(page, "gemini")).properties.n.minimum, 0);
});

playground("what is not understood is shown as it is", async (page) => {
  for (const text of ["good morning", '{"a":1}', "[1,2", "<b>bold</b>"]) {
    await paste(page, text);
    await settledAfter(page);
    assert.equal(await source(page), text);
    assert.match(await findings(page), /Not recognised|invalid_json/, text);
  }
});

playground("a key is warned about, and never part of a link", async (page) => {
  const key = `sk-${"a1B2".repeat(8)}`;
  await paste(page, { messages: [{ role: "user", content: `my key is ${key}` }] });
  await page.locator("#about").getByText("seems to contain a key").waitFor();
  await page.waitForFunction(() => location.hash === "#draft");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.locator("#status", { hasText: "contains a key" }).waitFor();
  assert.equal(await page.evaluate(() => location.hash), "#draft");
  await paste(
    page,
    `curl https://api.openai.com/v1/chat/completions -H "Authorization: Bearer ${key}" -d '{"messages":[{"role":"user","content":"Hi"}]}'`,
  );
  await page.getByText("Read from a curl command").waitFor();
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const link = await page.evaluate(async () => {
    const packed = atob(location.hash.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  });
  assert.match(link, /messages/);
  assert.ok(!link.includes(key));
  await show(page, "anthropic");
});
