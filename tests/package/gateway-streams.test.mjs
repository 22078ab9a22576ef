// Streams through a gateway: keep-alives while the upstream is silent, clients that read slowly, and models that turn out to have no tools.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { simulateTools } from "../../pkg/dist/text/node.js";
import { createGateway, serveGateway, stopGateways } from "./support/gateway-server.mjs";

after(stopGateways);

const KEEP_ALIVE_MS = 10_000;
const messages = [{ role: "user", content: "Hi" }];
const encoder = new TextEncoder();
const event = (value) => encoder.encode(`data: ${JSON.stringify(value)}\n\n`);
const text = (content) =>
  event({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: { content } }],
  });
const asStream = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

function gatewayTo(respond, more) {
  const upstreams = { main: { dialect: "openai", baseUrl: "http://upstream", key: "the-key", retries: 0, ...more } };
  return createGateway({ upstreams, open: true, warnings: "ignore" }, { fetch: respond });
}

const asked = (path, body) =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** What clients of a format get while the upstream is silent; undefined: nothing. */
const keepAlives = [
  ["/v1/messages", { model: "m", max_tokens: 9, messages, stream: true }, 'event: ping\ndata: {"type": "ping"}\n\n'],
  ["/v1/chat/completions", { model: "m", messages, stream: true }, ": keep-alive\n\n"],
  ["/v1beta/models/m:streamGenerateContent", { contents: [{ role: "user", parts: [{ text: "Hi" }] }] }, "\n"],
  ["/api/chat", { model: "m", messages }, undefined],
  ["/model/m/converse-stream", { messages: [{ role: "user", content: [{ text: "Hi" }] }] }, undefined],
];

for (const [path, body, expected] of keepAlives) {
  test(`${path}: ${expected ? "a keep-alive" : "no keep-alive"} while the upstream is silent`, async (t) => {
    let upstream;
    const start = (controller) => {
      upstream = controller;
    };
    const stream = new ReadableStream({ start });
    const gateway = gatewayTo(async () => asStream(stream));
    t.mock.timers.enable({ apis: ["setInterval", "Date"] });
    upstream.enqueue(text("Hello."));
    const reader = (await gateway(asked(path, body))).body.getReader();
    await reader.read();
    let next;
    const reading = reader.read().then(({ value }) => {
      next = new TextDecoder().decode(value);
    });
    // reading begins
    await new Promise((resolve) => setTimeout(resolve, 5));
    t.mock.timers.tick(KEEP_ALIVE_MS - 1000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(next, undefined);
    t.mock.timers.tick(2000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(next, expected);
    upstream.close();
    await reading;
    await reader.cancel();
  });
}

const google = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
const googlePath = "/v1beta/models/m:streamGenerateContent?alt=sse";
/** An upstream whose response breaks off. */
const tornUpstream = async () => {
  let pulls = 0;
  const pull = (controller) =>
    pulls++ === 0 ? controller.enqueue(text("Hello.")) : controller.error(new Error("reset"));
  return asStream(new ReadableStream({ pull }, { highWaterMark: 0 }));
};

test("an error that ends a stream is plain JSON, too, for clients of Google that read no other", async () => {
  const gateway = gatewayTo(tornUpstream);
  const got = await (await gateway(asked(googlePath, google))).text();
  const [, event, plain] = got.trimEnd().split("\n\n");
  assert.equal(event, `data: ${plain}`);
  assert.deepEqual(JSON.parse(plain).error.status, "INTERNAL");
  const chat = await (await gateway(asked("/v1/chat/completions", { model: "m", messages, stream: true }))).text();
  assert.ok(chat.split("\n").every((line) => line === "" || line.startsWith("data: ")));
});

test("a gateway behind a gateway states an error once", async () => {
  const inner = gatewayTo(tornUpstream);
  const outer = createGateway(
    { upstreams: { main: { dialect: "gemini", baseUrl: "http://inner", key: "k", retries: 0 } }, open: true },
    { fetch: (url, init) => inner(new Request(url, init)) },
  );
  const got = await (await outer(asked("/v1/chat/completions", { model: "m", messages, stream: true }))).text();
  assert.equal(got.split('"error":').length, 2, got);
});

/** A stream without an end, and how often it was asked for more. */
function endless(piece) {
  const asked = { times: 0 };
  const pull = (controller) => {
    asked.times++;
    controller.enqueue(piece);
  };
  return { asked, stream: new ReadableStream({ pull }, { highWaterMark: 0 }) };
}

test("an upstream is read only as fast as the client reads", async () => {
  const { asked: pulls, stream } = endless(text("x"));
  const response = await gatewayTo(async () => asStream(stream))(
    asked("/v1/messages", { model: "m", max_tokens: 9, messages, stream: true }),
  );
  const reader = response.body.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const before = pulls.times;
  assert.ok(before < 5, `${before}`);
  await reader.read();
  await reader.read();
  assert.ok(pulls.times > before && pulls.times <= before + 3, `${pulls.times}`);
  await reader.cancel();
});

test("a client that reads nothing stops the upstream, through a server, too", { timeout: 30_000 }, async () => {
  const size = 64 * 1024;
  const { asked: pulls, stream } = endless(text("x".repeat(size)));
  const limits = { responseBytes: Number.MAX_SAFE_INTEGER };
  const upstreams = { main: { dialect: "openai", baseUrl: "http://upstream", key: "the-key" } };
  const hooks = { fetch: async () => asStream(stream) };
  const url = await serveGateway(createGateway({ upstreams, limits, open: true, warnings: "ignore" }, hooks));
  const body = JSON.stringify({ model: "m", messages, stream: true });
  const socket = connect(new URL(url).port, "127.0.0.1");
  socket.pause();
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  // until the buffers of the sockets are full
  let before = -1;
  for (let i = 0; i < 100 && (before !== pulls.times || before < 1); i++) {
    before = pulls.times;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.equal(pulls.times, before);
  assert.ok(before >= 1 && before * size < 64 * 2 ** 20, `${before} pieces`);
  socket.destroy();
});

test("simulateWhen: a model that has no tools gets them as text, from its first refusal on", async () => {
  const bodies = [];
  const gateway = gatewayTo(
    async (request) => {
      const body = await request.json();
      bodies.push(body);
      if (body.tools) return Response.json({ error: { message: "m does not support tools" } }, { status: 400 });
      const content = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      return Response.json({ id: "c", object: "chat.completion", created: 1, model: "m", choices });
    },
    { simulate: simulateTools("hermes_json"), simulateWhen: "unsupported" },
  );
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
  for (const sent of [2, 1]) {
    bodies.length = 0;
    const response = await gateway(asked("/v1/chat/completions", { model: "m", messages, tools }));
    const [{ message }] = (await response.json()).choices;
    assert.deepEqual(message.tool_calls[0].function, { name: "get_weather", arguments: '{"city":"Paris"}' });
    assert.equal(bodies.length, sent);
    assert.match(JSON.stringify(bodies.at(-1).messages), /get_weather/);
  }
});

test("simulateWhen: another error is the client's", async () => {
  let times = 0;
  const gateway = gatewayTo(
    async () => {
      times++;
      return Response.json({ error: { message: "no such model" } }, { status: 404 });
    },
    { simulate: simulateTools("hermes_json"), simulateWhen: "unsupported" },
  );
  const response = await gateway(asked("/v1/chat/completions", { model: "m", messages }));
  assert.deepEqual([response.status, times], [404, 1]);
});
