// examples/durable-agent in miniflare, which is restarted between all invocations and in the middle of requests and calls: nothing is lost,
// and nothing runs twice.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { convertResponse } from "../../pkg/dist/index.js";
import { installExample } from "./support/example.mjs";
import { isComplete, response, resultsIn } from "./support/model.mjs";

/** The model's response to a conversation, by its number of messages. */
const script = {
  1: response("", [["c1", "find_flights", { city: "Rome" }]]),
  // the id of an earlier call
  3: response("", [["c1", "reserve_seat", { flight: "TW 1" }]]),
  5: response("", [["c2", "pay", { seat: "12A", amount: 90 }]]),
  7: response("Enjoy Rome."),
};
const outputs = { "/flights": ["TW 1"], "/seats": { seat: "12A" }, "/payments": "paid" };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The model and the service on one loopback server. The first request to a path in `hangs` is received, but gets no response. */
async function startServer(t, hangs = []) {
  const requests = [];
  const pending = new Set(hangs);
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks));
    const isModel = request.url === "/v1/chat/completions";
    const path = isModel ? `model ${body.messages.length}` : request.url;
    requests.push({ path, key: request.headers["idempotency-key"] });
    if (pending.delete(path)) return;
    const modelResponse = isModel && { ...script[body.messages.length], id: "resp_1", model: "m" };
    const sent = isModel ? convertResponse(modelResponse, { from: "canonical", to: "openai" }) : outputs[path];
    response.setHeader("content-type", "application/json").end(JSON.stringify(sent));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests, paths: () => requests.map(({ path }) => path) };
}

let modules;

/** A worker that can be restarted. */
async function startWorker(t, { url }) {
  const example = installExample(t, "durable-agent", ["esbuild", "miniflare"]);
  const { bundled, started } = await import(pathToFileURL(join(example, "local.js")).href);
  modules ??= await bundled();
  const bindings = {
    PROVIDER: "openai",
    MODEL: "m",
    API_KEY: "key",
    PROVIDER_URL: url,
    SERVICE_URL: url,
    PAUSE_MS: "400",
  };
  const start = () => started({ modules, folder: join(example, "storage"), bindings });
  let miniflare = await start();
  t.after(() => miniflare.dispose());
  const worker = {
    async send(method, path = "", body = undefined) {
      const response = await miniflare.dispatchFetch(`http://worker/runs/1${path}`, { method, body });
      assert.equal(response.status, 200);
      return response.json();
    },
    view: () => worker.send("GET"),
    decide: (decisions) => worker.send("POST", "/decisions", JSON.stringify(decisions)),
    async restart() {
      await miniflare.dispose();
      miniflare = await start();
    },
    /** The view, as soon as it is as expected. */
    async until(isExpected) {
      for (let attempt = 0; attempt < 400; attempt++) {
        const view = await worker.view();
        if (isExpected(view)) return view;
        await sleep(25);
      }
      throw new Error(`still waiting: ${JSON.stringify(await worker.view())}`);
    },
  };
  return worker;
}

async function received(server, path, count = 1) {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (server.paths().filter((each) => each === path).length >= count) return;
    await sleep(25);
  }
  throw new Error(`there was no request to ${path}`);
}

const isWaiting = ({ waiting }) => waiting.length > 0;
const isOver = ({ status }) => status !== "running";

test("a restart between all invocations, and an approval that arrives later", async (t) => {
  const server = await startServer(t);
  const worker = await startWorker(t, server);
  await worker.send("PUT", "", "Book a seat to Rome.");
  for (let invocations = 1; invocations <= 5; invocations++) {
    await worker.until((view) => view.invocations === invocations);
    await worker.restart();
  }
  const { waiting } = await worker.view();
  assert.deepEqual(waiting, [{ id: "c2", name: "pay", arguments: { seat: "12A", amount: 90 }, status: "unapproved" }]);
  // no alarm is set while the run waits for a person
  await sleep(600);
  assert.equal((await worker.view()).invocations, 5);
  await worker.decide({ c2: true });
  for (let invocations = 6; invocations <= 8; invocations++) {
    await worker.until((view) => view.invocations === invocations);
    await worker.restart();
  }
  const view = await worker.view();
  assert.deepEqual([view.status, view.text], ["answer", "Enjoy Rome."]);
  assert.deepEqual(server.paths(), [
    ...["model 1", "/flights", "model 3", "/seats", "model 5", "/payments", "model 7"],
  ]);
  assert.ok(isComplete(view.messages));
  const results = view.messages.filter(({ role }) => role === "tool").map(({ value }) => value);
  assert.deepEqual(results, Object.values(outputs));
  const keys = server.requests.flatMap(({ key }) => key ?? []);
  assert.equal(new Set(keys).size, 3, "also if the model uses the id of a call again");
});

test("a restart in the middle of a request and of an idempotent call", async (t) => {
  const server = await startServer(t, ["model 1", "/flights"]);
  const worker = await startWorker(t, server);
  await worker.send("PUT", "", "Book a seat to Rome.");
  await received(server, "model 1");
  await worker.restart();
  // the alarm fires again by itself
  await received(server, "/flights");
  await worker.restart();
  await worker.until(isWaiting);
  assert.deepEqual(server.paths(), [...["model 1", "model 1", "/flights", "/flights", "model 3", "/seats", "model 5"]]);
  const [first, second] = server.requests.filter(({ path }) => path === "/flights");
  assert.equal(first.key, second.key, "the service recognizes the repeated request");
});

for (const [name, decision, paths, result] of [
  ["is not repeated if a person says no", false, ["/seats"], /unknown whether it had an effect/],
  ["is repeated if a person says that it had no effect", true, ["/seats", "/seats"], /12A/],
]) {
  test(`a restart in the middle of a call that is not idempotent: it ${name}`, async (t) => {
    const server = await startServer(t, ["/seats"]);
    const worker = await startWorker(t, server);
    await worker.send("PUT", "", "Book a seat to Rome.");
    await received(server, "/seats");
    await worker.restart();
    const { waiting } = await worker.until(isWaiting);
    assert.deepEqual(
      waiting.map(({ name, status }) => [name, status]),
      [["reserve_seat", "interrupted"]],
    );
    assert.equal(server.paths().filter((path) => path === "/seats").length, 1);
    await worker.restart();
    await worker.decide({ c1: decision });
    await worker.until((view) => isWaiting(view) && view.waiting[0].name === "pay");
    const { messages } = await worker.decide({ c2: { allow: false, reason: "too expensive" } });
    assert.match(JSON.stringify(messages[4].value), result);
    const { status, messages: all } = await worker.until(isOver);
    assert.equal(status, "answer");
    assert.match(resultsIn(all).c2.error, /too expensive/);
    assert.deepEqual(
      server.paths().filter((path) => path === "/seats"),
      paths,
    );
    assert.ok(!server.paths().includes("/payments"));
  });
}
