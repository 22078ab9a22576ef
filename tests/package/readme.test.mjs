// Every snippet of the README runs, with what it takes for granted around it.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { esm, openAIBody, request } from "./support/package.mjs";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const snippets = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((found) => found[1]);
const folder = mkdtempSync(join(tmpdir(), "toolwire-readme-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a snippet as a module of its own, with the given names in its global scope. */
async function runSnippet(marker, names) {
  const index = snippets.findIndex((snippet) => snippet.includes(marker));
  assert.notEqual(index, -1, `no snippet has ${marker}`);
  const file = join(folder, `${index}.mjs`);
  // the test's own report goes to the real output
  const source = snippets[index]
    .replaceAll('"toolwire"', JSON.stringify(esm))
    .replaceAll('"toolwire/slim"', JSON.stringify(new URL("slim.js", esm).href))
    .replaceAll("process.stdout", "output");
  writeFileSync(file, source);
  const before = Object.keys(names).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  Object.assign(globalThis, names);
  try {
    const module = await import(pathToFileURL(file));
    return await names.use?.(module);
  } finally {
    for (const [name, known] of before) {
      if (known) Object.defineProperty(globalThis, name, known);
      else delete globalThis[name];
    }
    snippets[index] = "";
  }
}

const stream = (events) => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

test("the driver: calls are run until there are none", async () => {
  const asked = [];
  const ran = [];
  const call = { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } };
  const answers = [{ content: null, tool_calls: [call] }, { content: "22 °C" }];
  const create = async (body) => {
    asked.push(structuredClone(body));
    return { choices: [{ index: 0, message: { role: "assistant", ...answers.shift() }, finish_reason: "stop" }] };
  };
  await runSnippet("chat.completions.create", {
    client: { chat: { completions: { create } } },
    run: async (...call) => {
      ran.push(call);
      return { celsius: 22 };
    },
  });
  assert.deepEqual(ran, [["get_weather", { city: "Paris" }]]);
  assert.deepEqual(asked[1].messages.slice(1), [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: '{"celsius":22}' },
  ]);
});

test("the driver's stream: text as it comes, and whole calls", async () => {
  const input = { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"x":1}' } };
  const response = stream([
    {
      type: "message_start",
      message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "c1", name: "f", input: {} } },
    input,
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]);
  const said = [];
  const calls = [];
  await runSnippet("streamEvents", {
    response,
    output: { write: (text) => said.push(text) },
    console: { ...console, log: (...call) => calls.push(call) },
  });
  assert.deepEqual(said, ["Hi"]);
  assert.deepEqual(calls, [["f", { x: 1 }]]);
});

test("the gateway: a whole answer and a stream", async () => {
  const parts = (part) => ({
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    responseId: "r",
  });
  const asked = [];
  const fetch = async (url, { headers, body }) => {
    asked.push([url, headers, JSON.parse(new TextDecoder().decode(body)).contents]);
    const answer = url.includes("stream") ? stream([parts({ text: "Hi" })]) : Response.json(parts({ text: "Hi" }));
    if (url.includes("stream")) answer.headers.set("content-type", "text/event-stream");
    return answer;
  };
  const post = (body) => new Request("http://localhost/", { method: "POST", body: JSON.stringify(body) });
  const body = { model: "m", messages: [{ role: "user", content: "Hello" }] };
  const headers = { "x-goog-api-key": "k" };
  await runSnippet("export async function handle", {
    fetch,
    upstream: { url: "https://host", headers },
    use: async ({ handle }) => {
      const whole = await (await handle(post(body))).json();
      assert.equal(whole.choices[0].message.content, "Hi");
      const text = await (await handle(post({ ...body, stream: true }))).text();
      assert.match(text, /"content":"Hi"/);
      assert.match(text, /data: \[DONE\]\n\n$/);
    },
  });
  const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
  assert.deepEqual(asked, [
    ["https://host/v1beta/models/m:generateContent", headers, contents],
    ["https://host/v1beta/models/m:streamGenerateContent?alt=sse", headers, contents],
  ]);
});

test("slim: the wasm from where the caller has it", async () => {
  const headers = { "content-type": "application/wasm" };
  const asked = [];
  const fetch = async ({ href }) => {
    asked.push(href.endsWith("toolwire/toolwire.wasm"));
    return new Response(readFileSync(new URL("toolwire.wasm", esm)), { headers });
  };
  await runSnippet("useModule", { fetch });
  const { toOpenAI } = await import(new URL("slim.js", esm));
  assert.deepEqual(asked, [true]);
  assert.deepEqual(toOpenAI(request), openAIBody);
});

test("no snippet was left out", () => assert.deepEqual(snippets.filter(Boolean), []));
