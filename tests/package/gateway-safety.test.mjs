// What a gateway refuses, and what it never gives away.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { createGateway, gatewayTo, post, serveGateway, stopGateways } from "./support/gateway-server.mjs";
import { startUpstream, streamOf } from "./support/gateway-upstream.mjs";

const KEY = "sk-of-the-upstream-0123456789";
const hello = { model: "m", messages: [{ role: "user", content: "Hi" }] };
const chat = "/v1/chat/completions";
let provider;
const anthropic = (more) => ({ dialect: "anthropic", baseUrl: `${provider.url}/anthropic`, key: KEY, ...more });

before(async () => {
  provider = await startUpstream();
});
after(() => {
  provider.close();
  return stopGateways();
});

async function refused(response, status, message) {
  const { error } = await response.json();
  assert.equal(response.status, status, error?.message);
  assert.match(error.message, message);
}

/** A request with any header: `fetch` sets `host` itself. */
function raw(url, { headers, body = JSON.stringify(hello), method = "POST" }) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, async (response) => {
      let text = "";
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode, text });
    });
    request.on("error", reject);
    request.end(body);
  });
}
const json = { "content-type": "application/json" };

test("a configuration without keys of clients is refused, unless it is open", () => {
  const upstreams = { main: { dialect: "anthropic", key: KEY } };
  assert.throws(() => createGateway({ upstreams }), { code: "missing_field", path: "/clients" });
  assert.throws(() => createGateway({ upstreams, clients: [] }), { path: "/clients" });
  createGateway({ upstreams, open: true });
  createGateway({ upstreams, clients: [{ name: "me", key: "k" }] });
});

test("mistakes in a configuration: the path, and the nearest name", () => {
  const main = { dialect: "anthropic", key: KEY };
  const wrong = [
    [{}, "/upstreams", /is missing/],
    [{ upstream: {} }, "/upstream", /no such field \(did you mean "upstreams"\?\)/],
    [{ upstreams: {} }, "/upstreams", /at least one/],
    [{ upstreams: { main: {} } }, "/upstreams/main/dialect", /is missing/],
    [{ upstreams: { main: { dialect: "antropic" } } }, "/upstreams/main/dialect", /did you mean "anthropic"/],
    [{ upstreams: { main: { ...main, modles: "x" } } }, "/upstreams/main/modles", /did you mean "models"/],
    [{ upstreams: { main: { ...main, models: 1 } } }, "/upstreams/main/models", /a string or an object/],
    [{ upstreams: { main: { ...main, simulate: "auto" } } }, "/upstreams/main/simulate", /simulateTools/],
    [{ upstreams: { main: { ...main, simulate: null } } }, "/upstreams/main/simulate", /simulateTools/],
    [{ upstreams: { main: { ...main, retries: -1 } } }, "/upstreams/main/retries", /at least 0/],
    [{ upstreams: { main: { ...main, baseUrl: "https://u:p@x.com" } } }, "/upstreams/main/baseUrl", /user name/],
    [{ upstreams: { main: { dialect: "vertexai" } } }, "/upstreams/main/baseUrl", /no URL of its own/],
    [
      { upstreams: { main: { ...main, key: undefined, keyEnv: "NOT_SET_HERE" } } },
      "/upstreams/main/keyEnv",
      /NOT_SET_HERE is not set/,
    ],
    [{ upstreams: { main }, routes: [{ upstream: "mian" }] }, "/routes/0/upstream", /did you mean "main"/],
    [
      { upstreams: { main }, routes: [{ upstream: "main", fallback: ["x"] }] },
      "/routes/0/fallback/0",
      /there is no upstream "x"/,
    ],
    [{ upstreams: { main }, routes: [{ upstream: "main", when: { tool: true } }] }, "/routes/0/when/tool", /"tools"/],
    [{ upstreams: { main }, warnings: "logs" }, "/warnings", /did you mean "log"/],
    [{ upstreams: { main }, clients: [{ name: "a" }] }, "/clients/0", /keyEnv/],
  ];
  for (const [config, path, message] of wrong) {
    assert.throws(
      () => createGateway({ open: true, ...config }),
      (error) => {
        assert.equal(error.name, "ToolwireError");
        assert.equal(error.path, path);
        assert.match(error.message, message);
        return true;
      },
      JSON.stringify(config),
    );
  }
});

test("on loopback, the host must be loopback (DNS rebinding)", async () => {
  const url = await gatewayTo(anthropic());
  const { port } = new URL(url);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "localhost", `[::1]:${port}`]) {
    assert.equal((await raw(url + chat, { headers: { ...json, host } })).status, 200, host);
  }
  const before = provider.requests.length;
  for (const host of [`evil.example:${port}`, "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0"]) {
    assert.equal((await raw(url + chat, { headers: { ...json, host } })).status, 403, host);
  }
  // also without the check of `serve`
  const gateway = createGateway({ upstreams: { main: anthropic() }, open: "loopback" });
  const body = JSON.stringify(hello);
  const there = await gateway(new Request(`http://evil.example${chat}`, { method: "POST", headers: json, body }));
  await refused(there, 403, /host must be loopback/);
  assert.equal(provider.requests.length, before);
});

test("names that a proxy on this machine sends are served if they are listed", async () => {
  const gateway = createGateway({ upstreams: { main: anthropic() }, clients: [{ name: "me", key: "my-own-key" }] });
  const url = await serveGateway(gateway, { hosts: ["llm.example"] });
  const headers = { ...json, "x-api-key": "my-own-key" };
  assert.equal((await raw(url + chat, { headers: { ...headers, host: "llm.example" } })).status, 200);
  assert.equal((await raw(url + chat, { headers: { ...headers, host: "other.example" } })).status, 403);
});

test("web pages are refused, except those of cors", async () => {
  const url = await gatewayTo(anthropic(), { cors: ["https://app.example"] });
  for (const origin of ["https://evil.example", "null", "http://app.example"])
    await refused(await post(url + chat, hello, { headers: { origin } }), 403, /origin/);
  const allowed = await post(url + chat, hello, { headers: { origin: "https://app.example" } });
  assert.equal(allowed.status, 200);
  assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example");
  const asks = { origin: "https://app.example", "access-control-request-headers": "x-api-key, content-type" };
  const preflight = await fetch(url + chat, { method: "OPTIONS", headers: asks });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-headers"), "x-api-key, content-type");
  const evil = await fetch(url + chat, { method: "OPTIONS", headers: { ...asks, origin: "https://evil.example" } });
  assert.equal(evil.headers.get("access-control-allow-origin"), null);
  const closed = await gatewayTo(anthropic());
  const none = await fetch(closed + chat, { method: "OPTIONS", headers: asks });
  assert.equal(none.headers.get("access-control-allow-origin"), null);
});

test("bodies must be JSON by content type: forms of web pages are not", async () => {
  const url = await gatewayTo(anthropic());
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
    await refused(await post(url + chat, hello, { headers: { "content-type": type } }), 415, /application\/json/);
  for (const type of ["application/json; charset=utf-8", "application/vnd.api+json"])
    assert.equal((await post(url + chat, hello, { headers: { "content-type": type } })).status, 200);
});

test("a body without a content type is JSON, unless a web page sent it", async () => {
  const url = await gatewayTo(anthropic(), { cors: ["https://app.example"] });
  const status = (headers) =>
    new Promise((ended, failed) => {
      const sent = httpRequest(url + chat, { method: "POST", headers }, (response) =>
        ended(response.resume().statusCode),
      );
      sent.on("error", failed).end(JSON.stringify(hello));
    });
  assert.equal(await status({}), 200);
  assert.equal(await status({ origin: "https://app.example" }), 415);
});

test("keys of clients, in every place", async () => {
  const clients = [
    { name: "one", key: "key-of-client-one" },
    { name: "two", key: "key-of-client-two" },
  ];
  const url = await gatewayTo(anthropic(), { open: undefined, clients });
  const places = (key) => [
    [chat, { authorization: `Bearer ${key}` }],
    [chat, { authorization: `bearer ${key}` }],
    [chat, { "x-api-key": key }],
    [chat, { "x-goog-api-key": key }],
    [`${chat}?key=${key}`, {}],
  ];
  for (const { key } of clients) {
    for (const [path, headers] of places(key)) assert.equal((await post(url + path, hello, { headers })).status, 200);
  }
  const wrong = ["key-of-client", "key-of-client-onE", "key-of-client-one-", "key-of-client-twokey-of-client-two"];
  for (const key of wrong) {
    for (const [path, headers] of places(key))
      await refused(await post(url + path, hello, { headers }), 401, /valid key/);
  }
  await refused(await post(url + chat, hello), 401, /valid key/);
  for (const path of ["/v1/models", "/metrics", "/nope"]) assert.equal((await fetch(url + path)).status, 401);
  assert.equal((await fetch(`${url}/health`)).status, 200);
  // the clients' keys are not sent on
  const sent = JSON.stringify(provider.requests.map(({ headers }) => headers));
  assert.ok(!sent.includes("key-of-client"));
});

test("a client's own key goes only to a provider of its format, and only if that is configured", async () => {
  const headers = { "x-api-key": "the-clients-subscription", "anthropic-version": "2023-06-01" };
  const body = { model: "m", max_tokens: 5, messages: hello.messages };
  const keyOf = () => provider.requests.at(-1).headers["x-api-key"];
  const url = await gatewayTo(anthropic());
  await post(`${url}/v1/messages`, body, { headers });
  assert.equal(keyOf(), KEY);
  const forwarding = await gatewayTo(anthropic({ key: undefined, clientKey: "forward" }));
  await post(`${forwarding}/v1/messages`, body, { headers });
  assert.equal(keyOf(), "the-clients-subscription");
  const { "x-api-key": _, ...without } = headers;
  await post(`${forwarding}/v1/messages`, body, { headers: { ...without, authorization: "Bearer sk-ant-oat-1" } });
  assert.equal(keyOf(), undefined);
  assert.equal(provider.requests.at(-1).headers.authorization, "Bearer sk-ant-oat-1");
  const before = provider.requests.length;
  const other = await post(forwarding + chat, hello, { headers: { authorization: "Bearer sk-openai-key" } });
  await refused(other, 401, /only for openai/);
  assert.equal(provider.requests.length, before);
});

test("a redirect is not followed", async () => {
  const url = await gatewayTo(anthropic());
  const before = provider.requests.length;
  provider.instead = (_, response) => response.writeHead(307, { location: `${provider.url}/anthropic/other` }).end();
  try {
    await refused(await post(url + chat, hello), 502, /redirects/);
  } finally {
    provider.instead = undefined;
  }
  assert.equal(provider.requests.length, before + 1);
});

test("bodies are bounded, also after they are decompressed", async () => {
  const url = await gatewayTo(anthropic(), { limits: { bodyBytes: 1000 } });
  const packed = gzipSync(JSON.stringify({ ...hello, user: "x".repeat(100_000) }));
  assert.ok(packed.length < 1000);
  await refused(await post(url + chat, packed, { headers: { "content-encoding": "gzip" } }), 413, /larger than 1000/);
  for (const [encoding, pack] of [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ]) {
    const headers = { "content-encoding": encoding };
    assert.equal((await post(url + chat, pack(JSON.stringify(hello)), { headers })).status, 200, encoding);
  }
  for (const encoding of ["br", "zstd", "gzip, gzip"])
    await refused(await post(url + chat, hello, { headers: { "content-encoding": encoding } }), 415, /not supported/);
  await refused(await post(url + chat, hello, { headers: { "content-encoding": "gzip" } }), 400, /can't be read/);
});

test("headers that are too large, in the client's format", async () => {
  const url = await gatewayTo(anthropic(), { limits: { headerBytes: 2000 } });
  const headers = { "x-long": "x".repeat(3000) };
  const response = await post(`${url}/v1/messages`, {}, { headers });
  assert.equal(response.status, 431);
  assert.equal((await response.json()).type, "error");
});

test("too many requests at the same time wait, and then get 429 with retry-after", async () => {
  const url = await gatewayTo(anthropic(), { limits: { concurrent: 1, queueMs: 50 } });
  let go;
  const begun = new Promise((resolve) => {
    provider.instead = (_, response) => {
      go = () => response.writeHead(200, { "content-type": "text/event-stream" }).end(streamOf("anthropic", true)[0]);
      resolve();
    };
  });
  const first = post(url + chat, hello);
  await begun;
  provider.instead = undefined;
  const second = await post(url + chat, hello);
  assert.equal(second.headers.get("retry-after"), "1");
  await refused(second, 429, /at the same time/);
  const third = post(url + chat, hello);
  go();
  await (await first).text();
  assert.equal((await third).status, 200);
});

test("a slot that is given back to a request whose client has just left is not lost", async () => {
  const start = { choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }] };
  const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...start };
  const gateway = createGateway(
    { upstreams: { main: { dialect: "openai", key: KEY } }, open: true, limits: { concurrent: 1, queueMs: 50 } },
    {
      fetch: async () =>
        new Response(
          new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)) }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    },
  );
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ ...hello, stream: true });
  const ask = (signal) => gateway(new Request(`http://localhost${chat}`, { method: "POST", headers, body, signal }));
  const client = new AbortController();
  const first = await ask();
  const waiting = ask(client.signal);
  await sleep(10);
  client.abort();
  await first.body.cancel();
  assert.equal((await waiting).status, 499);
  const next = await ask();
  assert.equal(next.status, 200);
  await next.body.cancel();
});

test("no secret is in any response, event, warning or log", async () => {
  const secrets = [KEY, "key-of-the-client-77", "sekret-in-a-header"];
  const seen = [];
  const [warn, error] = [console.warn, console.error];
  console.warn = (...args) => seen.push(args.join(" "));
  console.error = (...args) => seen.push(args.join(" "));
  const gateway = createGateway(
    {
      upstreams: { main: anthropic({ retries: 0, headers: { "x-secret": "Token sekret-in-a-header" } }) },
      clients: [{ name: "c", key: "key-of-the-client-77" }],
      metrics: true,
    },
    { onExchange: (event) => seen.push(JSON.stringify({ ...event, body: new TextDecoder().decode(event.body) })) },
  );
  const url = await serveGateway(gateway);
  const headers = { authorization: "Bearer key-of-the-client-77" };
  const quoting = (status, type) => (request, response) => {
    const quoted = JSON.stringify({
      error: { message: `bad: ${JSON.stringify(request.headers)} ${secrets.join(" ")}` },
    });
    response.writeHead(status, { "content-type": type, "x-request-id": "r" }).end(quoted);
  };
  try {
    for (const status of [200, 400, 401, 429, 500]) {
      for (const type of ["application/json", "text/html", "text/event-stream"]) {
        provider.instead = quoting(status, type);
        for (const stream of [false, true]) {
          const response = await post(url + chat, { ...hello, stream, user: KEY }, { headers });
          seen.push(JSON.stringify([...response.headers]), await response.text().catch(String));
        }
      }
    }
    provider.instead = (_, response) => {
      const error = { type: "error", error: { type: "api_error", message: `bad key ${KEY}` } };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${streamOf("anthropic", true)[0]}event: error\ndata: ${JSON.stringify(error)}\n\n`);
    };
    seen.push(await (await post(url + chat, { ...hello, stream: true }, { headers })).text());
    provider.instead = (_, response) => response.destroy();
    seen.push(await (await post(url + chat, hello, { headers })).text());
    seen.push(await (await fetch(`${url}/nope?key=key-of-the-client-77`)).text());
    seen.push(await (await fetch(`${url}/metrics`, { headers })).text());
  } finally {
    provider.instead = undefined;
    [console.warn, console.error] = [warn, error];
  }
  assert.ok(seen.length > 60);
  const all = seen.join("\n");
  assert.match(all, /\[hidden\]/);
  for (const secret of secrets)
    assert.ok(!all.includes(secret), all.slice(all.indexOf(secret) - 300, all.indexOf(secret) + 60));
});

test("stacks in Node name the sources of the gateway, with source maps", () => {
  const gateway = new URL("../../pkg/dist/gateway/node.js", import.meta.url);
  const code = `import { createGateway } from ${JSON.stringify(gateway)}; createGateway({});`;
  const args = ["--enable-source-maps", "--input-type=module", "--eval", code];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.match(stderr, /at checkConfig \(\S*pkg-template\/gateway\/check\.ts:\d+/);
});
