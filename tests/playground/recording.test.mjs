// Recordings of the gateway are dropped, pasted or opened, and shown as exchanges.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { settledAfter, setUp, violations } from "./support/page.mjs";

const { recorder } = await bundled("../../pkg-template/command/gateway/record.js");
const { convertRequest, convertResponse, convertStream } = createRequire(import.meta.url)("../../pkg/dist/index.cjs");
const { playground } = setUp();

const request = {
  model: "gpt-5.1",
  max_completion_tokens: 9,
  messages: [{ role: "user", content: "Zürich" }],
};
const returned = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "Grüezi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
};
const events = [
  { type: "message_start", message: { ...returned, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "In Stücken" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 4 } },
  { type: "message_stop" },
];
const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** The files that the gateway writes for two exchanges: one whole, after an attempt that failed, and one streamed. */
function recorded() {
  const folder = mkdtempSync(join(tmpdir(), "toolwire-recorded-"));
  const { onExchange } = recorder(folder);
  const ways = { from: "openai", to: "anthropic" };
  const write = (requestId, stage, body, attempt) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    onExchange({ requestId, stage, attempt, ...ways, body: new TextEncoder().encode(text) });
  };
  const sent = convertRequest(request, ways);
  write("a", "received", request);
  write("a", "sent", sent, 1);
  write("a", "returned", { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, 1);
  write("a", "sent", sent, 2);
  write("a", "returned", returned, 2);
  write("a", "delivered", { other: true });
  write("b", "received", { ...request, stream: true });
  write("b", "sent", { ...sent, stream: true, temperature: 1 }, 1);
  write("b", "returned", stream, 1);
  const converter = convertStream({ from: "anthropic", to: "openai" });
  const delivered = [converter.push(new TextEncoder().encode(stream)), converter.finish()];
  write("b", "delivered", delivered.map((bytes) => new TextDecoder().decode(bytes)).join(""));
  const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  rmSync(folder, { recursive: true });
  return files;
}

/** Drops or pastes files. */
const give = (page, type, files) =>
  page.evaluate(
    ({ type, files }) => {
      const data = new DataTransfer();
      for (const { name, text } of files) data.items.add(new File([text], name));
      const target = document.querySelector("#source-editor .cm-content");
      const options = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        type === "drop"
          ? new DragEvent(type, { ...options, dataTransfer: data })
          : new ClipboardEvent(type, { ...options, clipboardData: data }),
      );
    },
    { type, files },
  );

const answer = (page) => page.locator("#answer").inputValue();
const client = (page) => page.locator(".exchange .cm-content").innerText();

for (const type of ["drop", "paste"]) {
  playground(`files of a recording are shown as an exchange: ${type}`, async (page) => {
    await give(page, type, recorded());
    await page.locator("#status", { hasText: "2 recorded exchanges opened" }).waitFor();
    await page.locator(".recorded").getByText("The gateway sent something else").click();
    assert.match(await page.locator(".recorded pre").first().innerText(), /"temperature":1/);
    assert.equal(await answer(page), stream);
    assert.match(await client(page), /data: \{"id":.*In Stücken/);
    await page.getByText("The gateway delivered the same").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.locator("#recorded").selectOption({ index: 0 });
    await page.getByText("The gateway sent the same").waitFor();
    await page.getByText("The gateway delivered something else").waitFor();
    assert.deepEqual(JSON.parse(await answer(page)), returned);
    const expected = convertResponse(returned, { from: "anthropic", to: "openai" });
    assert.deepEqual(JSON.parse(await client(page)).choices, expected.choices);
    assert.match(await page.locator("#source-editor .cm-content").innerText(), /Zürich/);
    assert.equal(await page.locator("#format").inputValue(), "openai");
  });
}

playground("an error that a server returned is converted as one", async (page) => {
  const files = recorded().filter(({ name }) => /-00001-.*(?:received|-1\.anthropic)/.test(name));
  assert.equal(files.length, 3);
  await give(page, "drop", files);
  await page.locator(".recorded").waitFor();
  assert.match(await client(page), /"error": \{[\s\S]*Overloaded/);
});

playground("a single body of a recording is the source, in the format of its name", async (page) => {
  await give(
    page,
    "drop",
    recorded().filter(({ name }) => name.includes("-00002-3-returned")),
  );
  await settledAfter(page);
  assert.equal(await page.locator("#format").inputValue(), "anthropic");
  await page.locator(".player").waitFor();
});

playground("the address keeps the server's response", async (page) => {
  await give(
    page,
    "drop",
    recorded().filter(({ name }) => name.includes("-00001-")),
  );
  await page.locator(".recorded").waitFor();
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  await page.reload();
  await page.locator("#answer").waitFor();
  assert.deepEqual(JSON.parse(await answer(page)), returned);
});

/** A module of the command, which has parts in TypeScript. */
async function bundled(path) {
  const entryPoints = [fileURLToPath(new URL(path, import.meta.url))];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", platform: "node", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
