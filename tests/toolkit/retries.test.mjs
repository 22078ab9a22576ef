// When `sendTo` sends a request again, how long it waits, and what it reads of a response.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { user } from "./support/model.mjs";
import { runAgent, sendTo, Toolkit } from "./support/toolkit.mjs";

let server;
let script;
let times;
before(async () => {
  server = createServer((request, result) => {
    times.push(performance.now());
    request.resume();
    script[Math.min(times.length, script.length) - 1](result, request);
  }).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
});
beforeEach(() => {
  times = [];
});
after(() => {
  server.closeAllConnections();
  server.close();
});
const url = () => `http://127.0.0.1:${server.address().port}`;

const whole = JSON.stringify({
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
});
const chunk = (content, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;
const type = (isStream) => ({ "content-type": isStream ? "text/event-stream" : "application/json" });
const ok = (isStream) => (result) =>
  result.writeHead(200, type(isStream)).end(isStream ? `${chunk("Hi.")}${chunk("", "stop")}data: [DONE]\n\n` : whole);
const error =
  (status, body, headers = {}) =>
  (result) =>
    result.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
/** The connection is reset after this text. */
const reset = (isStream, text) => (result) => {
  result.writeHead(200, type(isStream)).write(text);
  setTimeout(() => result.destroy(), 5);
};

const run = (target = {}, options = {}) =>
  runAgent({
    request: { model: "m", ...user("x") },
    toolkit: new Toolkit([]),
    send: sendTo({ to: "openai", baseUrl: url(), stream: false, ...target }),
    ...options,
  });

for (const isStream of [false, true]) {
  const form = isStream ? "streamed" : "whole";

  test(`a connection that breaks before the first event is tried again, ${form}`, async () => {
    script = [reset(isStream, isStream ? ": wait\n\n" : whole.slice(0, 60)), ok(isStream)];
    const outcome = await run({ stream: isStream });
    assert.deepEqual([outcome.reason, outcome.text, times.length], ["answer", "Hi.", 2]);
  });

  test(`a connection that always breaks is a retryable error, ${form}`, async () => {
    script = [reset(isStream, isStream ? chunk("Hal") : whole.slice(0, 60))];
    const outcome = await run({ stream: isStream, maxRetries: 1 });
    assert.deepEqual([outcome.reason, outcome.error.code], ["error", "connection_failed"]);
    assert.equal(outcome.error.retryable, true);
    assert.equal(times.length, isStream ? 1 : 2, "events were passed on already, so the caller decides");
  });
}

test("a stream that ends before its last event is a retryable error", async () => {
  script = [(result) => result.writeHead(200, type(true)).end(chunk("Hal"))];
  const outcome = await run({ stream: true });
  assert.deepEqual([outcome.reason, outcome.error?.retryable], ["error", true]);
});

test("a body that ends in the middle of a value is tried again; what is not JSON is not", async () => {
  script = [(result) => result.writeHead(200, type(false)).end(whole.slice(0, 60)), ok(false)];
  assert.deepEqual([(await run()).reason, times.length], ["answer", 2]);
  times = [];
  script = [
    (result) => result.writeHead(200, { "content-type": "text/html" }).end("<html>\n  Welcome</html>"),
    ok(false),
  ];
  const { reason, error } = await run();
  assert.deepEqual([reason, times.length, error.status, error.retryable], ["error", 1, 200, false]);
  assert.equal(
    error.message,
    "The body of the response with status 200 is not JSON. It begins with: <html> Welcome</html>",
  );
});

const quota = (retryDelay) => ({
  error: {
    code: 429,
    message: "Too many requests.",
    status: "RESOURCE_EXHAUSTED",
    details: [
      { "@type": "type.googleapis.com/google.rpc.Help" },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
    ],
  },
});
// RetryInfo: https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto; the sentence: OpenAI's rate limits
const bodies = {
  "RetryInfo in seconds": [quota("1s"), 1000],
  "RetryInfo with a fraction": [quota("0.4s"), 400],
  "RetryInfo of zero": [quota("0s"), 0],
  "a list of errors": [[quota("0.4s")], 400],
  "a sentence in seconds": [{ error: { message: "Rate limit reached for m. Please try again in 0.41s. Visit" } }, 410],
  "a sentence in milliseconds": [{ error: { message: "Please try again in 120ms." } }, 120],
};
for (const [name, [body, wait]] of Object.entries(bodies)) {
  test(`the wait in a body: ${name}`, async () => {
    script = [error(429, body), ok(false)];
    assert.equal((await run()).reason, "answer");
    const waited = times[1] - times[0];
    assert.ok(waited >= wait - 5 && waited < wait + 330, `${waited} ms`);
  });
}

test("the wait in a header is used before that in the body", async () => {
  script = [error(429, quota("5s"), { "retry-after-ms": "20" }), ok(false)];
  assert.equal((await run()).reason, "answer");
  assert.ok(times[1] - times[0] < 2500);
});

for (const [name, headers, body, seconds] of [
  ["in a header", { "retry-after": "20" }, { error: { message: "Slow down." } }, 20],
  ["in a body", {}, quota("30s"), 30],
]) {
  test(`a wait ${name} beyond the deadline ends the run at once with its error`, async () => {
    script = [error(429, body, headers), ok(false)];
    const started = performance.now();
    const outcome = await run({}, { timeoutMs: 2000 });
    assert.ok(performance.now() - started < 1500);
    assert.deepEqual([outcome.reason, outcome.error.status, outcome.error.retryable], ["error", 429, true]);
    assert.match(outcome.message, new RegExp(`asks to wait ${seconds} s.*timeoutMs`));
    assert.equal(times.length, 1);
  });
}

test("a backoff beyond the deadline ends the run with the error of the server", async () => {
  script = [error(503, { error: { message: "Busy." } })];
  const outcome = await run({}, { timeoutMs: 200 });
  assert.deepEqual([outcome.reason, outcome.error.status, times.length], ["error", 503, 1]);
});

test("a wait of more than a minute is not waited for, and the message says so", async () => {
  script = [error(429, quota("90s"))];
  const outcome = await run({}, { timeoutMs: 600_000 });
  assert.equal(outcome.error.status, 429);
  assert.match(outcome.message, /asks to wait 90 s.*60 s/);
});

// ---- bounds

/** Writes pieces for ever, as fast as they are read. */
const forever =
  (headers, piece, status = 200) =>
  (result) => {
    let written = 0;
    result.writeHead(status, headers);
    const write = () => {
      while (!result.destroyed && written < 2 ** 31) {
        written += piece.length;
        if (!result.write(piece)) return result.once("drain", write);
      }
    };
    result.on("error", () => {});
    write();
  };

test("an event, a response and an error are bounded, and the message names the option", async () => {
  for (const [name, body, target, code, option] of [
    [
      "a whole response",
      forever(type(false), `{"a": "${"x".repeat(9000)}`),
      { maxResponseBytes: 50_000 },
      "response_too_large",
      /maxResponseBytes \(50000/,
    ],
    [
      "a stream",
      forever(type(true), chunk("x".repeat(500))),
      { stream: true, maxResponseBytes: 50_000 },
      "response_too_large",
      /maxResponseBytes \(50000/,
    ],
    [
      "an event",
      forever(type(true), `data: "${"x".repeat(500)}`),
      { stream: true, maxEventBytes: 5_000 },
      "response_too_large",
      /maxEventBytes \(5000/,
    ],
    [
      "lines of an event",
      forever(type(true), `data: ${"x".repeat(500)}\n`),
      { stream: true, maxEventBytes: 5_000 },
      "response_too_large",
      /maxEventBytes/,
    ],
  ]) {
    script = [body];
    times = [];
    const outcome = await run(target);
    assert.deepEqual([outcome.reason, outcome.error.code, times.length], ["error", code, 1], name);
    assert.match(outcome.message, option);
    assert.equal(outcome.error.retryable, false);
  }
  script = [forever(type(false), "x".repeat(10_000), 400)];
  const outcome = await run();
  assert.equal(outcome.error.status, 400);
  assert.ok(outcome.error.message.length <= 64 * 1024);
});

test("events that arrive byte by byte, with all line ends, are counted apart", async () => {
  for (const end of ["\n", "\r\n"]) {
    script = [
      (result) => {
        result.writeHead(200, type(true));
        const text = `${chunk("Hi. ").repeat(8)}${chunk("", "stop")}`.replaceAll("\n", end);
        for (const byte of Buffer.from(text)) result.write(Buffer.of(byte));
        result.end();
      },
    ];
    const outcome = await run({ stream: true, maxEventBytes: 300 });
    assert.equal(outcome.text, "Hi. ".repeat(8), JSON.stringify(outcome.error));
  }
});

for (const kind of ["stream", "event", "body", "error", "slow reader"]) {
  test(`an endless ${kind} takes less than 64 MB`, { timeout: 60_000 }, () => {
    const program = fileURLToPath(new URL("support/endless.mjs", import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", program, kind], {
      encoding: "utf8",
      timeout: 50_000,
    });
    const { reason, grown } = JSON.parse(stdout || `{"reason": ${JSON.stringify(stderr)}}`);
    assert.equal(reason, kind === "slow reader" ? "timeout" : "error");
    assert.ok(grown < 64, `${grown} MB`);
  });
}

// ---- warnings

test("each cause of a warning is reported once in a run, and again in the next", async () => {
  const warnings = [];
  let turn = 0;
  const send = sendTo({
    to: "ollama",
    baseUrl: url(),
    stream: false,
    options: { onWarning: ({ code, path }) => warnings.push(`${code} ${path}`) },
  });
  script = [
    (result) => {
      turn++;
      const call = { function: { name: "f", arguments: { turn } } };
      const message = { role: "assistant", ...(turn % 6 ? { content: "", tool_calls: [call] } : { content: "Done." }) };
      result
        .writeHead(200, type(false))
        .end(
          JSON.stringify({ model: "m", created_at: "2026-01-01T00:00:00Z", message, done: true, done_reason: "stop" }),
        );
    },
  ];
  const parameters = { type: "object", properties: { turn: { type: "integer" } } };
  const tools = ["f", "g", "h"].map((name) => ({ name, strict: true, parameters, execute: () => name }));
  const options = { request: { model: "m", ...user("x"), toolChoice: "required" }, toolkit: new Toolkit(tools), send };
  const counts = [];
  for (let count = 0; count < 2; count++) {
    warnings.length = 0;
    const { reason, iterations } = await runAgent({ ...options, maxIterations: 20 });
    assert.deepEqual([reason, iterations], ["answer", 6]);
    assert.equal(new Set(warnings).size, warnings.length, warnings.join("\n"));
    counts.push(warnings.length);
  }
  assert.ok(counts[0] > 0);
  assert.equal(counts[0], counts[1]);
});
