// The gateway of the guide, run unchanged against a scripted server on loopback.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { markdownBlocks } from "../package/support/snippets/blocks.mjs";
import { makeProject } from "../package/support/snippets/programs.mjs";
import { startProvider } from "./support/provider.mjs";

const block = markdownBlocks("docs/guides/gateway-on-the-edge.md").find(({ code }) => code.includes("export default"));
const project = makeProject("gateway-guide", [block]);

let provider;
let worker;
before(async () => {
  project.compile("typescript");
  worker = (await import(project.fileOf(block))).default;
  provider = await startProvider();
});
after(() => provider.close());

const url = "http://localhost/v1/chat/completions";
const headers = { "content-type": "application/json", authorization: "Bearer key-of-the-app" };
const tools = [{ type: "function", function: { name: "crm.lookup", parameters: { type: "object" } } }];
const asked = { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "Who is 7?" }], tools };
const ask = (body) =>
  worker.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }), {
    ANTHROPIC_API_KEY: "key",
    CLIENT_KEY: "key-of-the-app",
    ANTHROPIC_URL: `${provider.url}/anthropic`,
  });

test("a call has the client's name for the tool", async () => {
  provider.play({
    blocks: [{ type: "call", id: "call_1", name: "crm_lookup_CQFDV0", pieces: ['{"id":7}'] }],
    finish: "tool_calls",
  });
  const response = await ask(asked);
  const { choices } = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(choices[0].message.tool_calls[0].function, { name: "crm.lookup", arguments: '{"id":7}' });
  const [{ url, headers, body }] = provider.received;
  assert.equal(url, "/anthropic/v1/messages");
  assert.equal(headers["x-api-key"], "key");
  assert.equal(body.tools[0].name, "crm_lookup_CQFDV0");
});

test("a stream ends with usage only if the client asked for it", async () => {
  for (const stream_options of [undefined, { include_usage: true }]) {
    provider.play({ blocks: [{ type: "text", pieces: ["Hel", "lo"] }], finish: "stop" });
    const response = await ask({ ...asked, stream: true, stream_options });
    const text = await response.text();
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data));
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), "Hello");
    assert.equal(
      chunks.some(({ choices }) => choices.length === 0),
      stream_options !== undefined,
    );
    assert.match(text, /data: \[DONE\]\n\n$/);
  }
});

test("errors of the upstream and of the client are errors of OpenAI", async () => {
  const busy = { status: 529, code: "overloaded", message: "Busy." };
  // the request is sent again twice
  provider.play(busy, busy, busy);
  const overloaded = await ask(asked);
  assert.equal(overloaded.status, 529);
  assert.equal((await overloaded.json()).error.message, "Busy.");
  const stranger = new Request(url, {
    method: "POST",
    headers: { ...headers, authorization: "Bearer other" },
    body: "{}",
  });
  assert.equal((await worker.fetch(stranger, {})).status, 401);
  const invalid = await ask({ model: "claude-sonnet-4-5", messages: "Hi" });
  assert.equal(invalid.status, 400);
  assert.equal((await invalid.json()).error.type, "invalid_request_error");
});
