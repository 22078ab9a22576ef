// A gateway in case of errors. `gateway-clients.test.mjs` tests its conversations.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { post as postTo, gatewayTo as serveTo, stopGateways } from "./support/gateway-server.mjs";
import { startUpstream, streamOf } from "./support/gateway-upstream.mjs";

const KEY = "the-gateways-key";
let provider;

const gatewayTo = (dialect, more, config) =>
  serveTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: KEY, ...more }, config);

before(async () => {
  provider = await startUpstream();
});
after(() => {
  provider.close();
  return stopGateways();
});

const post = (url, body, more) => postTo(`${url}/v1/chat/completions`, body, more);
const hello = { model: "m", messages: [{ role: "user", content: "Hi" }] };

async function withInstead(act, use) {
  provider.instead = act;
  try {
    return await use();
  } finally {
    provider.instead = undefined;
  }
}

test("an error of the upstream's: the client's shape, the status, when to try again, and no key", async () => {
  const url = await gatewayTo("anthropic");
  const error = { type: "error", error: { type: "rate_limit_error", message: `slow down, ${KEY}` } };
  const act = (_, response) =>
    response.writeHead(429, { "retry-after": "7", "set-cookie": "a=b" }).end(JSON.stringify(error));
  const response = await withInstead(act, () => post(url, hello));
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("retry-after"), "7");
  assert.equal(response.headers.get("set-cookie"), null);
  const body = await response.json();
  assert.equal(body.error.message, "slow down, [hidden]");
});

test("an HTML page with status 200, or an unreachable provider: 502", async () => {
  const url = await gatewayTo("anthropic");
  const page = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>busy</html>");
  const response = await withInstead(page, () => post(url, hello));
  assert.equal(response.status, 502);
  assert.match((await response.json()).error.message, /busy/);
  const nowhere = await gatewayTo("anthropic", { baseUrl: "http://127.0.0.1:1" });
  const unreached = await post(nowhere, hello);
  assert.equal(unreached.status, 502);
  assert.doesNotMatch(await unreached.text(), /127\.0\.0\.1/);
});

test("a body with a length and gzip, and responses without a content type, whole and streamed", async () => {
  const url = await gatewayTo("anthropic");
  const message = { id: "m", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" };
  const whole = JSON.stringify({ ...message, content: [{ type: "text", text: "Hi" }] });
  const packed = gzipSync(whole);
  const headers = { "content-type": "application/json", "content-encoding": "gzip", "content-length": packed.length };
  for (const act of [
    (_, response) => response.writeHead(200, headers).end(packed),
    (_, response) => response.end(whole),
  ]) {
    const response = await withInstead(act, () => post(url, hello));
    assert.equal(response.headers.get("content-encoding"), null);
    assert.equal((await response.json()).choices[0].message.content, "Hi");
  }
  const events = (_, response) => response.end(Buffer.concat(streamOf("anthropic", true)));
  const response = await withInstead(events, () => post(url, { ...hello, stream: true }));
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.match(await response.text(), /data: \[DONE\]\n\n$/);
});

test("invalid bodies, and bodies that are too large", async () => {
  const url = await gatewayTo("anthropic", {}, { limits: { bodyBytes: 200 } });
  const wrong = await post(url, { model: "m", messages: [{ role: "user", content: 7 }] });
  assert.equal(wrong.status, 400);
  assert.match((await wrong.json()).error.message, /\/messages\/0\/content/);
  const large = await post(url, { ...hello, user: "x".repeat(300) });
  assert.equal(large.status, 413);
  assert.match((await large.json()).error.message, /larger than 200 bytes/);
});

test("requests that refer to data stored by OpenAI fail for other providers", async () => {
  const hi = { role: "user", content: "Hi" };
  const requests = [
    { input: [hi], previous_response_id: "resp_1" },
    { input: [hi], conversation: "conv_1" },
    { input: [hi, { type: "item_reference", id: "msg_1" }, hi] },
  ];
  const elsewhere = await gatewayTo("anthropic");
  const there = await gatewayTo("openai-responses");
  for (const request of requests) {
    const body = { model: "m", ...request };
    const refused = await postTo(`${elsewhere}/v1/responses`, body);
    assert.equal(refused.status, 400);
    assert.match((await refused.json()).error.message, /refers to/);
    assert.equal((await postTo(`${there}/v1/responses`, body)).status, 200);
  }
});

test("a client that leaves: the upstream's connection ends", { timeout: 10_000 }, async () => {
  const url = await gatewayTo("anthropic");
  const leaving = new AbortController();
  const left = new Promise((resolve) => {
    provider.instead = (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(streamOf("anthropic", true)[0]);
      request.socket.on("close", resolve);
    };
  });
  try {
    const response = await post(url, { ...hello, stream: true }, { signal: leaving.signal });
    const reader = response.body.getReader();
    await reader.read();
    leaving.abort();
    await left;
  } finally {
    provider.instead = undefined;
  }
});
