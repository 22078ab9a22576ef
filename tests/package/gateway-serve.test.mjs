// `serve` with any function of `Request`, and with a gateway of the package, which it passes neither a `Request` nor reads a `Response` of.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { after, test } from "node:test";
import { createGateway, post, serve, serveGateway, stopGateways } from "./support/gateway-server.mjs";

const body = { model: "m", messages: [{ role: "user", content: "Hi" }] };
const answer = {
  ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
};
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

after(stopGateways);

/** A gateway in front of an upstream that responds as asked. */
async function gateway() {
  const upstream = createServer(async (incoming, outgoing) => {
    let text = "";
    for await (const piece of incoming) text += piece;
    if (!JSON.parse(text).stream)
      return outgoing.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    outgoing.setHeader("content-type", "text/event-stream");
    outgoing.write(chunk({ role: "assistant", content: "Hel" }));
    outgoing.end(`${chunk({ content: "lo" })}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
  await new Promise((ready) => upstream.listen(0, "127.0.0.1", ready));
  after(() => upstream.close());
  const baseUrl = `http://127.0.0.1:${upstream.address().port}`;
  return createGateway({ upstreams: { main: { dialect: "openai", baseUrl, key: "k" } }, open: "loopback" });
}

test("a gateway responds with the same, served or called with a Request", async () => {
  const own = await gateway();
  const url = await serveGateway(own);
  // a function of its own is no gateway of the package
  const wrapped = await serveGateway((request) => own(request));
  for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/nothing", "/health"]) {
    for (const stream of [false, true]) {
      const asked = { ...body, max_tokens: 10, stream };
      const responses = [await post(`${url}${path}`, asked), await post(`${wrapped}${path}`, asked)];
      const [served, called] = await Promise.all(
        responses.map(async (response) => ({
          status: response.status,
          type: response.headers.get("content-type"),
          text: (await response.text()).replace(/"(id|created)":("[^"]*"|\d+)/g, '"$1":0'),
        })),
      );
      assert.deepEqual(served, called, `${path} ${stream}`);
    }
  }
});

test("a whole response states its length", async () => {
  const response = await post(`${await serveGateway(await gateway())}/v1/chat/completions`, body);
  assert.equal(Number(response.headers.get("content-length")), Buffer.byteLength(await response.text()));
});

test("a body in pieces is read to its end, and one that is too large only to the limit", async () => {
  const own = await gateway();
  const limited = createGateway({
    upstreams: { main: { dialect: "openai", baseUrl: "http://127.0.0.1:9", key: "k" } },
    open: "loopback",
    limits: { bodyBytes: 1000 },
  });
  const send = async (to, pieces) => {
    const server = await serve(to, { port: 0 });
    try {
      return await new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json" };
        const sent = request(`${server.url}/v1/chat/completions`, { method: "POST", headers }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode));
        });
        sent.on("error", reject);
        for (const piece of pieces) sent.write(piece);
        sent.end();
      });
    } finally {
      await server.stop();
    }
  };
  const text = JSON.stringify(body);
  assert.equal(await send(own, [text.slice(0, 9), text.slice(9, 20), text.slice(20)]), 200);
  assert.equal(await send(limited, Array(40).fill(" ".repeat(100))), 413);
});
