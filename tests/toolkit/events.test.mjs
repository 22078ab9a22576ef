// The events of a run for front ends: server-sent events and the AG-UI protocol.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EventSchemas } from "@ag-ui/core/schemas";
import { response, scripted, streamed, user } from "./support/model.mjs";
import { agentResponse, agUiEvents, streamAgent, Toolkit } from "./support/toolkit.mjs";

const number = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const double = { name: "double", parameters: number, execute: ({ n }) => n * 2 };
const done = response("Done.");
const calls = response("Let me see.", [
  ["a", "double", { n: 4 }],
  ["b", "double", { n: "x" }],
]);
const start = (model, more = {}) =>
  streamAgent({ request: user("x"), toolkit: new Toolkit([double]), send: model.send, ...more });

async function collected(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

for (const [name, model] of [
  ["whole", scripted],
  ["streamed", streamed],
]) {
  test(`AG-UI events follow the protocol's schemas, ${name}`, async () => {
    const events = await collected(agUiEvents(start(model(calls, done)), { threadId: "t", runId: "r" }));
    for (const event of events) assert.deepEqual(EventSchemas.parse(event).type, event.type);
    const types = events.map(({ type }) => type);
    assert.deepEqual(types.slice(0, 5), [
      ...["RUN_STARTED", "STEP_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
    ]);
    assert.equal(types.filter((type) => type === "TOOL_CALL_START").length, 2);
    assert.equal(types.filter((type) => type === "TOOL_CALL_RESULT").length, 2);
    assert.equal(types.at(-1), "RUN_FINISHED");
    // every start has an end
    for (const kind of ["TEXT_MESSAGE", "TOOL_CALL"]) {
      const count = (suffix) => types.filter((type) => type === `${kind}_${suffix}`).length;
      assert.equal(count("START"), count("END"), kind);
    }
    assert.deepEqual([events[0].threadId, events[0].runId], ["t", "r"]);
  });
}

test("a failed run is a RUN_ERROR", async () => {
  const failing = { send: () => Promise.reject(new Error("no connection")) };
  const events = await collected(agUiEvents(start(failing)));
  assert.equal(events.at(-1).type, "RUN_ERROR");
  EventSchemas.parse(events.at(-1));
});

test("a run as server-sent events", async () => {
  const result = await agentResponse(start(streamed(calls, done)));
  assert.deepEqual([result.status, result.headers.get("content-type")], [200, "text/event-stream"]);
  const events = (await result.text())
    .split("\n\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line.replace("data: ", "")));
  assert.equal(events[0].type, "request");
  assert.equal(events.at(-1).outcome.text, "Done.");
  assert.equal(events.find(({ type }) => type === "toolStart").tool, "double");
});

test("the status of a run that ends before anything was sent", async () => {
  const hanging = { send: () => new Promise(() => {}) };
  const timedOut = await agentResponse(start(hanging, { timeoutMs: 10 }));
  assert.deepEqual([timedOut.status, (await timedOut.json()).reason], [504, "timeout"]);
  const thrown = (status) => ({
    send: () => Promise.reject(Object.assign(new Error("no"), { code: "x", status, retryable: false })),
  });
  assert.equal((await agentResponse(start(thrown(429)))).status, 429);
  // the server's own key was refused
  assert.equal((await agentResponse(start(thrown(401)))).status, 502);
});

/** A run that ends at once. */
const ended = (outcome) => {
  const end = {
    type: "end",
    runId: "r",
    iteration: 0,
    outcome: { runId: "r", text: "", messages: [], executions: [], ...outcome },
  };
  return {
    outcome: Promise.resolve(end.outcome),
    steer: () => false,
    cancel() {},
    async *[Symbol.asyncIterator]() {
      yield end;
    },
  };
};

test("every reason has the status of the table in the documentation", async () => {
  const page = readFileSync(new URL("../../docs/toolkit/agents.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| (`[^|]*`) \| (\d{3}) \|$/gm)];
  const documented = rows.flatMap(([, names, status]) => names.match(/\w+/g).map((reason) => [reason, +status]));
  assert.deepEqual(Object.fromEntries(documented), {
    ...{ timeout: 504, cancelled: 499, max_iterations: 500, repeating: 500, repairs_exhausted: 502, budget: 429 },
  });
  for (const [reason, status] of documented) {
    for (const format of ["events", "agui"]) {
      const result = await agentResponse(ended({ reason }), { format });
      assert.deepEqual([result.status, (await result.json()).reason], [status, reason]);
    }
  }
  for (const reason of ["answer", "stopped", "length", "refusal", "content_filter", "external", "unapproved"]) {
    assert.equal((await agentResponse(ended({ reason }))).status, 200, reason);
  }
  for (const [status, expected] of [
    [500, 500],
    [404, 404],
    [403, 502],
    [undefined, 502],
  ]) {
    const error = { code: "c", message: "m", status, retryable: false, cause: new Error("internal") };
    const result = await agentResponse(ended({ reason: "error", error }));
    assert.deepEqual([result.status, (await result.json()).error], [expected, { code: "c", message: "m" }]);
  }
});

test("a client that disconnects cancels the run", async () => {
  const never = { name: "never", execute: () => new Promise(() => {}) };
  const stream = streamAgent({
    request: user("x"),
    toolkit: new Toolkit([never]),
    send: scripted(response("", [["a", "never"]])).send,
  });
  const result = await agentResponse(stream);
  const reader = result.body.getReader();
  await reader.read();
  await reader.cancel();
  assert.equal((await stream.outcome).reason, "cancelled");
});
