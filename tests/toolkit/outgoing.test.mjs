// What leaves the process. Secrets are put into every place that a caller, a tool or a server can reach, and all output is searched for them.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { response, streamed, user } from "./support/model.mjs";
import { agentResponse, agentTool, agUiEvents, runAgent, sendTo, streamAgent, Toolkit } from "./support/toolkit.mjs";

const keys = {
  apiKey: "KEY-in-api-key",
  header: "KEY-in-header",
  unknown: "KEY-in-unknown-header",
  cookie: "KEY-in-cookie",
  query: "KEY-in-query",
};
const content = {
  system: "DATA-in-system-prompt",
  prompt: "DATA-in-prompt",
  description: "DATA-in-description",
  args: "DATA-in-arguments",
  result: "DATA-in-result",
  progress: "DATA-in-progress",
  error: "DATA-in-error-of-tool",
  cause: "DATA-in-cause",
  context: "DATA-in-context",
  inner: "DATA-in-sub-agent",
  metadata: "DATA-in-metadata",
};
const inText = (text, secrets) => Object.values(secrets).filter((secret) => text.includes(secret));
const assertNone = (text, secrets, where) => assert.deepEqual(inText(text, secrets), [], where);

const withHeaders = () =>
  Object.assign(new Error(content.error), { cause: { request: { headers: { authorization: content.cause } } } });
const tools = [
  { name: "works", description: content.description, execute: () => ({ secret: content.result }) },
  {
    name: "fails",
    execute: () => {
      throw withHeaders();
    },
  },
  {
    name: "yields",
    async *execute() {
      yield content.progress;
      yield 10n;
      return "ok";
    },
  },
  agentTool({
    name: "agent",
    agent: () => ({
      request: { messages: [{ role: "system", content: content.inner }] },
      toolkit: new Toolkit([{ name: "waits", needsApproval: true, execute: () => "" }]),
      send: async () => response(content.inner, [["w", "waits", { text: content.inner }]]),
    }),
  }),
  { name: "waits", needsApproval: true, execute: () => content.result },
];
const call = (id, name) => [id, name, { text: content.args }];
const request = {
  model: "m",
  metadata: { openai: { user: content.metadata } },
  messages: [
    { role: "system", content: content.system },
    { role: "user", content: content.prompt },
  ],
};
const turns = [
  response("Shown.", [call("1", "works"), call("2", "fails"), call("3", "yields")], { reasoningText: "Thought." }),
  response("Also shown.", [call("4", "waits"), call("5", "agent")]),
];
const start = (more = {}) =>
  streamAgent({
    request,
    toolkit: new Toolkit(tools),
    send: streamed(...turns).send,
    context: { password: content.context },
    secret: "KEY-of-states",
    ...more,
  });

for (const format of ["events", "agui"]) {
  test(`a client receives text, calls and statuses only, as ${format}`, async () => {
    const text = await (await agentResponse(start(), { format })).text();
    assertNone(text, content, format);
    assert.match(text, /Shown\./);
    assert.match(text, /works/);
    assert.match(text, /unapproved/);
    assert.ok(!text.includes('"signature"'), "states stay");
  });

  for (const [option, shown] of Object.entries({
    arguments: ["args", "inner"],
    results: ["result", "error", "progress"],
    usage: [],
    requests: [],
  })) {
    test(`with include: ["${option}"], a client receives nothing else, as ${format}`, async () => {
      const text = await (await agentResponse(start(), { format, include: [option] })).text();
      const found = inText(text, content).map((secret) => Object.keys(content).find((key) => content[key] === secret));
      assert.deepEqual(
        found.filter((key) => !shown.includes(key)),
        [],
      );
      if (shown.length > 0) assert.ok(found.includes(shown[0]), `${shown[0]} is part of ${option}`);
    });
  }
}

test("the options of agentResponse", async () => {
  const events = async (include) => {
    const text = await (await agentResponse(start(), { include })).text();
    return text
      .split("\n\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line.replace("data: ", "")));
  };
  const all = await events(["arguments", "results", "usage", "requests"]);
  const of = (type) => all.filter((event) => event.type === type);
  assert.deepEqual(of("request")[0].request, { model: "m", tools: tools.map(({ name }) => name) });
  const { execution } = of("toolEnd").find((event) => event.execution.call.name === "works");
  assert.deepEqual(execution.result.value, { secret: content.result });
  assert.deepEqual(
    of("toolProgress").map(({ value }) => value),
    [content.progress, "10"],
  );
  assert.equal(of("end")[0].outcome.usage.total, 45);
  assert.deepEqual(of("end")[0].outcome.pending[0].arguments, { text: content.args });
  const none = await events([]);
  const ends = none.filter(({ type }) => type === "toolEnd").map(({ execution: { call, status } }) => [call, status]);
  assert.deepEqual(
    ends.find(([{ name }]) => name === "works"),
    [{ id: "1", name: "works" }, "done"],
  );
  assert.deepEqual(none.find(({ type }) => type === "end").outcome.pending[0], { id: "4", name: "waits" });
});

test("the size of what a client receives grows with the run, not with its square", async () => {
  const send = async (_, { iteration }) =>
    iteration < 60 ? response("x".repeat(500), [[`c${iteration}`, "works", { iteration }]]) : response("Done.");
  const sizes = [];
  for (const count of [20, 40]) {
    const counted = (given, more) => (more.iteration < count ? send(given, more) : response("Done."));
    const stream = start({ send: counted, maxIterations: 100, maxRepeats: 100 });
    sizes.push((await (await agentResponse(stream)).text()).length);
  }
  assert.ok(sizes[1] < sizes[0] * 2.3, `${sizes}`);
});

test("an error that was not written for a client is not shown to it", async () => {
  const thrown = Object.assign(new Error(`Bad header: ${keys.apiKey}`), { headers: keys.apiKey, code: keys.apiKey });
  for (const format of ["events", "agui"]) {
    const stream = start({ send: () => Promise.reject(thrown) });
    const result = await agentResponse(stream, { format });
    const text = await result.text();
    assertNone(text, keys, format);
    assert.match(text, /request to the model failed/);
    const { message, error } = await stream.outcome;
    assertNone(message + error.code, keys, "message");
    const late = async function* () {
      yield { type: "textDelta", block: 0, text: "x" };
      throw thrown;
    };
    assertNone(await (await agentResponse(start({ send: late }), { format })).text(), keys, "in a stream");
  }
  const events = [];
  for await (const event of agUiEvents(start({ send: () => Promise.reject(thrown) }))) events.push(event);
  assertNone(JSON.stringify(events), keys, "agUiEvents");
});

// ---- over HTTP

let server;
let respond;
before(async () => {
  server = createServer((request, result) => respond(request, result)).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
});
after(() => {
  server.closeAllConnections();
  server.close();
});
const url = () => `http://127.0.0.1:${server.address().port}`;

const json =
  (body, status = 200, headers = {}) =>
  (_, result) =>
    result.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const answered = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
};
const echo = (status) => (request, result) => {
  const text = JSON.stringify({ error: { message: `No: ${JSON.stringify([request.headers, request.url])}` } });
  result.writeHead(status, { "content-type": "application/json", "set-cookie": keys.cookie, "x-echo": keys.unknown });
  result.end(text);
};

/** A run through `sendTo` with keys in all places. Everything that it reports, as one text. */
async function reported(more = {}) {
  const seen = [];
  const target = {
    to: "openai",
    baseUrl: url(),
    apiKey: keys.apiKey,
    headers: {
      "Helicone-Auth": `Bearer ${keys.header}`,
      "Ocp-Apim-Subscription-Key": keys.unknown,
      "cf-access-client-id": keys.unknown,
      "x-anything": keys.unknown,
      cookie: keys.cookie,
    },
    stream: false,
    maxRetries: 1,
    onRequest: (sent) => seen.push(sent),
    onResponse: (received) => seen.push(received),
    ...more,
  };
  const run = () => streamAgent({ request: user("x"), toolkit: new Toolkit([]), send: sendTo(target) });
  const stream = run();
  const events = [];
  for await (const event of stream) events.push(event);
  const { error, message, reason } = await stream.outcome;
  const shown = await (await agentResponse(run())).text();
  const texts = [seen, error?.message, error?.metadata, message, error?.cause?.message, shown, events];
  return { reason, error, seen, text: JSON.stringify(texts), message };
}

test("hooks and errors contain no keys when the request succeeds, fails, or its key is repeated", async () => {
  for (const [handler, expected] of [
    [json(answered), "answer"],
    [echo(400), "error"],
    [echo(401), "error"],
    [echo(500), "error"],
    [echo(200), "error"],
  ]) {
    for (const stream of [false, true]) {
      respond = handler;
      const { reason, text, seen } = await reported({ stream });
      assert.equal(reason, expected);
      assertNone(text, keys, expected);
      assert.equal(seen[0].headers["content-type"], "application/json");
      assert.deepEqual(Object.keys(seen[0].headers), ["content-type"]);
    }
  }
});

test("a key in a stream that the server repeats is hidden from hooks", async () => {
  respond = (_, result) => {
    const chunk = { ...answered, object: "chat.completion.chunk" };
    chunk.choices = [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }];
    result.writeHead(200, { "content-type": "text/event-stream", "x-key": keys.header });
    result.end(`data: ${JSON.stringify(chunk)}\n\n: ${keys.apiKey}\n\ndata: [DONE]\n\n`);
  };
  const { reason, text } = await reported({ stream: true });
  assert.equal(reason, "answer");
  assertNone(text, keys, "stream");
});

test("a key that an error within a stream repeats is hidden", async () => {
  respond = (_, result) => {
    result.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { ...answered, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hi." } }] };
    const error = { message: `The key ${keys.apiKey} has expired.`, code: "invalid_api_key" };
    result.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify({ error })}\n\n`);
  };
  const { reason, error, text } = await reported({ stream: true });
  assert.equal(reason, "error");
  assert.match(error.message, /The key \[hidden\] has expired/);
  assertNone(text, keys, "error in a stream");
});

test("keys in a query are sent, and not shown", async () => {
  let received;
  respond = (request, result) => {
    received = request.url;
    echo(500)(request, result);
  };
  const withQuery = async (address, init) => {
    const sent = new URL(address);
    sent.searchParams.set("key", keys.query);
    return fetch(sent, init);
  };
  const { text } = await reported({ fetch: withQuery, baseUrl: url() });
  assert.match(received, /key=KEY-in-query/);
  assertNone(text.replaceAll(`key=${keys.query}`, ""), { apiKey: keys.apiKey, header: keys.header }, "query of fetch");
  const { text: own } = await reported({ baseUrl: `${url()}/?api-version=1&key=${keys.query}` });
  assertNone(own, keys, "query of baseUrl");
  assert.match(own, /api-version=1/);
});

for (const [name, more] of [
  ["a line break in the key", { apiKey: "KEY-in-api-key\nX: 1" }],
  ["a character beyond Latin-1 in the key", { apiKey: "KEY-in-api-key…" }],
  ["a line break in a header", { headers: { "x-key": "KEY-in-header\r\nb" } }],
  ["a key as the name of a header", { headers: { "KEY-in-header b": "x" } }],
]) {
  test(`${name} is found before the request, and not retried`, async () => {
    let count = 0;
    respond = (_, result) => {
      count++;
      json(answered)(_, result);
    };
    const { reason, error, text, message } = await reported({ ...more, onRequest: undefined });
    assert.deepEqual([reason, error.code, error.retryable, count], ["error", "invalid_header", false, 0]);
    assert.match(message, /apiKey and headers/);
    assertNone(text, keys, name);
  });
}

test("spaces and line breaks around a key are left out", async () => {
  let received;
  respond = (request, result) => {
    received = request.headers.authorization;
    json(answered)(request, result);
  };
  assert.equal((await reported({ apiKey: "KEY-in-api-key\n" })).reason, "answer");
  assert.equal(received, "Bearer KEY-in-api-key");
});

test("a base URL that can't be used is a mistake of the caller, which does not show it", () => {
  for (const baseUrl of [
    "KEY-in-query.example/v1",
    "https://user:KEY-in-query@x.example",
    "file:///KEY-in-query",
    "",
  ]) {
    assert.throws(
      () => sendTo({ to: "openai", baseUrl }),
      (error) => {
        assert.deepEqual([error.code, error.path], ["invalid_options", "/baseUrl"]);
        assertNone(error.message, keys, baseUrl);
        return true;
      },
    );
  }
});

test("a connection that fails is reported with its address and its code", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => closed.once("listening", ready));
  const { port } = closed.address();
  await new Promise((done) => closed.close(done));
  const { error, text } = await reported({ baseUrl: `http://127.0.0.1:${port}/path?key=${keys.query}`, maxRetries: 0 });
  assert.match(
    error.message,
    /^the request to http:\/\/127\.0\.0\.1:\d+\/path\/v1\/chat\/completions\?key=%5Bhidden%5D failed: ECONNREFUSED$/,
  );
  assertNone(text, keys, "connection");
  const failing = () => Promise.reject(new Error(`bad ${keys.apiKey} and ${keys.header}`));
  const custom = await reported({ fetch: failing, maxRetries: 0 });
  assert.match(custom.error.message, /failed: bad \[hidden\]/);
});

test("redirects are followed within the origin only, so that keys stay there", async () => {
  const stolen = [];
  const other = createServer((request, result) => {
    stolen.push(request.headers);
    json(answered)(request, result);
  }).listen(0, "127.0.0.1");
  await new Promise((ready) => other.once("listening", ready));
  try {
    const elsewhere = `http://127.0.0.1:${other.address().port}/v1/chat/completions`;
    for (const status of [301, 302, 303, 307, 308]) {
      respond = (_, result) => result.writeHead(status, { location: elsewhere }).end();
      const { reason, error, text } = await reported();
      assert.deepEqual([reason, error.code, error.retryable, stolen.length], ["error", "redirected", false, 0]);
      assert.match(error.message, new RegExp(`redirects to http://127.0.0.1:${other.address().port}`));
      assertNone(text, keys, `${status}`);
    }
    const bodies = [];
    respond = async (request, result) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      bodies.push([request.method, Buffer.concat(chunks).length > 0]);
      if (request.url === "/moved") return json(answered)(request, result);
      return result.writeHead(308, { location: "/moved" }).end();
    };
    const { reason } = await runAgent({
      request: user("x"),
      toolkit: new Toolkit([]),
      send: sendTo({ to: "openai", baseUrl: url(), apiKey: keys.apiKey, stream: false }),
    });
    assert.equal(reason, "answer");
    assert.deepEqual(bodies, [
      ["POST", true],
      ["POST", true],
    ]);
    respond = (_, result) => result.writeHead(307, { location: "/again" }).end();
    assert.equal((await reported()).error.code, "redirected", "a loop ends");
  } finally {
    other.closeAllConnections();
    other.close();
  }
});
