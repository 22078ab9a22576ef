// Which upstream a gateway takes: routes, models, fallbacks, retries, upstreams that rest, time limits, clients that leave.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createGateway, gatewayTo, post, serveGateway, stopGateways } from "./support/gateway-server.mjs";
import { startUpstream, streamOf } from "./support/gateway-upstream.mjs";

const user = (content) => ({ role: "user", content });
const hello = { model: "m", messages: [user("Hi")] };
const chat = "/v1/chat/completions";
let first;
let second;

before(async () => {
  first = await startUpstream();
  second = await startUpstream();
});
beforeEach(() => {
  for (const upstream of [first, second]) {
    upstream.requests.length = 0;
    upstream.instead = undefined;
  }
});
after(() => {
  first.close();
  second.close();
  return stopGateways();
});

const openai = (more) => ({ dialect: "openai", baseUrl: `${first.url}/openai`, key: "key-1", ...more });
const anthropic = (more) => ({ dialect: "anthropic", baseUrl: `${second.url}/anthropic`, key: "key-2", ...more });
const silent = { onWarning: () => {} };

async function twoUpstreams({ hooks, one, two, ...config }) {
  const upstreams = { one: openai(one), two: anthropic(two) };
  return serveGateway(createGateway({ upstreams, open: "loopback", ...config }, { ...silent, ...hooks }));
}

/** Which upstreams got a request, in order. */
const taken = () => [first.requests.length, second.requests.length];

const failing =
  (status, headers = {}) =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end('{"error":{"message":"no"}}');

test("without routes, the first upstream", async () => {
  const url = await twoUpstreams({});
  assert.equal((await post(url + chat, hello)).status, 200);
  assert.deepEqual(taken(), [1, 0]);
});

test("the first route whose conditions all hold", async () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
  const conditions = [
    [{ model: "claude-*" }, { model: "claude-opus-5" }, { model: "gpt-5" }],
    [{ model: ["a", "b*c"] }, { model: "bxc" }, { model: "bx" }],
    [{ tools: true }, { tools }, {}],
    [{ tools: false }, {}, { tools }],
    [{ thinking: true }, { reasoning_effort: "high" }, { reasoning_effort: "none" }],
    [{ images: true }, { messages: [user([image])] }, {}],
    [{ tokensOver: 100 }, { user: "x".repeat(500) }, {}],
    [{ dialect: ["openai"], model: "x" }, { model: "x" }, { model: "y" }],
    [{ dialect: ["anthropic"] }, undefined, {}],
  ];
  for (const [when, matching, other] of conditions) {
    const url = await twoUpstreams({ routes: [{ upstream: "two", when }, { upstream: "one" }] });
    first.requests.length = 0;
    second.requests.length = 0;
    if (matching) {
      await post(url + chat, { ...hello, ...matching });
      assert.deepEqual(taken(), [0, 1], JSON.stringify(when));
    }
    await post(url + chat, { ...hello, ...other });
    assert.deepEqual(taken(), [1, matching ? 1 : 0], JSON.stringify(when));
  }
});

test("the conditions hold for clients of every format", async () => {
  const url = await twoUpstreams({
    routes: [{ upstream: "two", when: { thinking: true, images: true, tools: true } }, { upstream: "one" }],
  });
  const bodies = [
    [
      "/v1/messages",
      {
        model: "m",
        max_tokens: 9000,
        thinking: { type: "enabled", budget_tokens: 2000 },
        messages: [user([{ type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }])],
        tools: [{ name: "f", input_schema: { type: "object" } }],
      },
    ],
    [
      "/v1beta/models/m:generateContent",
      {
        contents: [{ role: "user", parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "AA==" } }] }],
        generationConfig: { thinkingConfig: { thinkingLevel: "high" } },
        tools: [{ functionDeclarations: [{ name: "f" }] }],
      },
    ],
    [
      "/v1/responses",
      {
        model: "m",
        reasoning: { effort: "high" },
        input: [user([{ type: "input_image", image_url: "data:image/png;base64,AA==" }])],
        tools: [{ type: "function", name: "f", parameters: { type: "object" } }],
      },
    ],
  ];
  for (const [path, body] of bodies) assert.equal((await post(url + path, body)).status, 200, path);
  assert.deepEqual(taken(), [0, bodies.length]);
});

test("no route: 404 in the client's format", async () => {
  const url = await twoUpstreams({ routes: [{ upstream: "one", when: { model: "x" } }] });
  const response = await post(url + chat, hello);
  assert.equal(response.status, 404);
  assert.match((await response.json()).error.message, /no route matches.*model m/);
});

test("the hook route chooses; undefined leaves it to the routes", async () => {
  const asked = [];
  const route = ({ model, dialect, body }) => {
    asked.push([model, dialect, body.length > 0]);
    return model === "two" ? "two" : undefined;
  };
  const url = await twoUpstreams({ hooks: { route } });
  await post(url + chat, { ...hello, model: "two" });
  await post(url + chat, hello);
  assert.deepEqual(taken(), [1, 1]);
  assert.deepEqual(asked, [
    ["two", "openai", true],
    ["m", "openai", true],
  ]);
});

test("names of models: one for all, exact, and by pattern", async () => {
  const models = { "gpt-5": "a", "claude-*": "b", "*-mini": "c" };
  const sent = [];
  for (const [given, model] of [
    ["always", "x"],
    [models, "gpt-5"],
    [models, "claude-opus-5"],
    [models, "o5-mini"],
    [models, "other"],
  ]) {
    const url = await gatewayTo(openai({ models: given }));
    await post(url + chat, { ...hello, model });
    sent.push(first.requests.at(-1).body.model);
  }
  assert.deepEqual(sent, ["always", "a", "b", "c", "other"]);
});

test("the next upstream after 429, 5xx, a broken connection and no response, not after 400", async () => {
  const routes = [{ upstream: "one", fallback: ["two"] }];
  const url = () => twoUpstreams({ routes, one: { retries: 0, limits: { firstByteMs: 60 } } });
  const causes = [failing(429), failing(500), failing(503), (_, response) => response.destroy(), () => {}];
  for (const [index, instead] of causes.entries()) {
    first.instead = instead;
    for (const stream of [false, true]) {
      const response = await post((await url()) + chat, { ...hello, stream });
      assert.equal(response.status, 200);
      assert.match(await response.text(), /Let /);
    }
    assert.equal(second.requests.length, 2 * (index + 1));
  }
  first.instead = failing(400);
  assert.equal((await post((await url()) + chat, hello)).status, 400);
  assert.equal(second.requests.length, 2 * causes.length);
});

test("a stream that broke off before its first byte is sent elsewhere, not one that broke off later", async () => {
  const routes = [{ upstream: "one", fallback: ["two"] }];
  const url = await twoUpstreams({ routes, one: { retries: 0 } });
  const head = { "content-type": "text/event-stream" };
  first.instead = (_, response) => {
    response.writeHead(200, head).flushHeaders();
    setTimeout(() => response.destroy(), 20);
  };
  assert.match(await (await post(url + chat, { ...hello, stream: true })).text(), /\[DONE\]/);
  assert.deepEqual(taken(), [1, 1]);
  first.instead = (_, response) => {
    response.writeHead(200, head).write(streamOf("openai", true).find((piece) => piece.length > 0));
    setTimeout(() => response.destroy(), 20);
  };
  const text = await (await post(url + chat, { ...hello, stream: true })).text();
  assert.match(text, /"error"/);
  assert.deepEqual(taken(), [2, 1]);
});

test("a failed request is sent again, as often as configured, and after the wait that the upstream asks for", async () => {
  let failures = 2;
  first.instead = (request, response) => {
    if (failures-- > 0) return failing(503, { "retry-after-ms": "30" })(request, response);
    first.instead = undefined;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] }),
    );
  };
  const url = await gatewayTo(openai({ retries: 2 }));
  const start = performance.now();
  assert.equal((await post(url + chat, hello)).status, 200);
  assert.ok(performance.now() - start >= 55);
  assert.equal(first.requests.length, 3);
  first.instead = failing(503, { "retry-after-ms": "1" });
  assert.equal((await post(url + chat, hello)).status, 503);
  assert.equal(first.requests.length, 6);
});

test("a long wait, and an exhausted account, are left to the client", async () => {
  first.instead = failing(429, { "retry-after": "3000" });
  const waiting = await post((await gatewayTo(openai({ retries: 2 }))) + chat, hello);
  assert.deepEqual([waiting.status, waiting.headers.get("retry-after")], [429, "3000"]);
  assert.equal(first.requests.length, 1);
  first.instead = (_, response) =>
    response.writeHead(429).end('{"error":{"code":"insufficient_quota","message":"pay"}}');
  assert.equal((await post((await gatewayTo(openai({ retries: 2 }))) + chat, hello)).status, 429);
  assert.equal(first.requests.length, 2);
});

test("an upstream that answers 429 rests until its retry-after, for that model only", async () => {
  const url = await twoUpstreams({ routes: [{ upstream: "one", fallback: ["two"] }] });
  first.instead = failing(429, { "retry-after-ms": "300" });
  for (let i = 0; i < 3; i++) assert.equal((await post(url + chat, hello)).status, 200);
  assert.deepEqual(taken(), [1, 3]);
  first.instead = undefined;
  await post(url + chat, { ...hello, model: "other" });
  assert.deepEqual(taken(), [2, 3]);
  await new Promise((resolve) => setTimeout(resolve, 320));
  await post(url + chat, hello);
  assert.deepEqual(taken(), [3, 3]);
});

test("time limits: no response, and a stream that pauses", async () => {
  first.instead = () => {};
  for (const limits of [{ timeoutMs: 50 }, { firstByteMs: 50 }]) {
    const response = await post((await gatewayTo(openai({ limits }))) + chat, hello);
    assert.equal(response.status, 504);
    assert.match((await response.json()).error.message, /0\.05 s/);
  }
  first.instead = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(streamOf("openai", true).find((piece) => piece.length > 0));
  };
  for (const limits of [{ idleMs: 60 }, { timeoutMs: 80 }]) {
    const url = await gatewayTo(openai({ limits }));
    const text = await (
      await post(`${url}/v1/messages`, { model: "m", max_tokens: 5, messages: [user("Hi")], stream: true })
    ).text();
    assert.match(text, /event: error/);
  }
});

test("a client that leaves ends the upstream's request, in every state", { timeout: 20_000 }, async () => {
  const states = [
    () => {},
    (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(streamOf("openai", true).find((piece) => piece.length > 0));
    },
    failing(503, { "retry-after": "5" }),
  ];
  for (const [index, state] of states.entries()) {
    const events = [];
    const url = await gatewayTo(openai({ retries: 2 }), { hooks: { onExchange: (event) => events.push(event) } });
    const leaving = new AbortController();
    const closed = new Promise((resolve) => {
      first.instead = (request, response) => {
        if (index === 3) request.socket.once("end", resolve);
        response.on("close", resolve);
        state(request, response);
        setTimeout(() => leaving.abort(), 50);
      };
    });
    const asked = post(url + chat, { ...hello, stream: true }, { signal: leaving.signal });
    await asked.then((response) => response.text()).catch(() => {});
    await closed;
    for (let i = 0; i < 100 && events.at(-1)?.stage !== "delivered"; i++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(
      events.some(({ stage, error }) => stage === "failed" && error.code === "cancelled"),
      `state ${index}`,
    );
    assert.equal(first.requests.length, index + 1);
  }
});
