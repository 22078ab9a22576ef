// examples/langgraph: the graph works with every provider, whole and streamed, and its state survives in a checkpointer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { MemorySaver } from "@langchain/langgraph";
import { installExample } from "./support/example.mjs";
import { isComplete, resultsIn, user } from "./support/model.mjs";
import { startProvider, upstreams } from "./support/provider.mjs";
import { sendTo, Toolkit } from "./support/toolkit.mjs";

const call = (id, name, args) => ({ type: "call", id, name, pieces: [JSON.stringify(args)] });
const calls = (...blocks) => ({ blocks, finish: "tool_calls" });
const says = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });

const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const toolkit = new Toolkit([
  { name: "double", parameters, execute: ({ n }) => n * 2 },
  { name: "launch", needsApproval: true, execute: () => assert.fail("nobody approved it") },
]);

async function start(t) {
  const provider = await startProvider();
  t.after(() => provider.close());
  const folder = installExample(t, "langgraph", ["@langchain"]);
  const { agentGraph } = await import(pathToFileURL(`${folder}/graph.js`).href);
  const graphOf = (dialect, { stream = false, checkpointer } = {}) =>
    agentGraph({
      send: sendTo({ to: dialect, baseUrl: `${provider.url}/${dialect}`, apiKey: "key", stream }),
      toolkit,
      request: { model: upstreams[dialect].model, maxTokens: 100 },
      checkpointer,
    });
  return { provider, graphOf };
}

test("a graph for every provider, whole and streamed", async (t) => {
  const { provider, graphOf } = await start(t);
  const script = [
    calls(call("c1", "double", { n: 4 }), call("c2", "double", { n: "many" })),
    calls(call("c3", "double", { n: "5" }), call("c4", "launch", {})),
    says("8 and", " 10."),
  ];
  for (const dialect of Object.keys(upstreams)) {
    for (const stream of [false, true]) {
      provider.play(...script);
      const { messages } = await graphOf(dialect, { stream }).invoke(user("x"));
      const results = Object.values(resultsIn(messages));
      const seen = results.map((value) => value?.error_type ?? value?.error ?? value);
      assert.deepEqual([seen[0], seen[1], seen[2]], [8, "invalid_arguments", 10], dialect);
      assert.match(JSON.stringify(results[3]), /unapproved/, dialect);
      assert.ok(isComplete(messages), dialect);
      assert.equal(messages.at(-1).content[0].text, "8 and 10.", dialect);
      assert.equal(provider.received.length, 3, dialect);
    }
  }
});

test("the events of a streamed response can be read while the graph runs", async (t) => {
  const { provider, graphOf } = await start(t);
  provider.play(calls(call("c1", "double", { n: 4 })), says("It is", " 8."));
  const graph = graphOf("anthropic", { stream: true });
  const events = [];
  for await (const event of await graph.stream(user("x"), { streamMode: "custom" })) events.push(event);
  const text = events.filter(({ type }) => type === "textDelta").map(({ text }) => text);
  assert.deepEqual(text, ["It is", " 8."]);
});

test("a conversation continues from its checkpoint", async (t) => {
  const { provider, graphOf } = await start(t);
  provider.play(calls(call("c1", "double", { n: 4 })), says("8"), says("It was 8."));
  const checkpointer = new MemorySaver();
  const thread = { configurable: { thread_id: "1" } };
  await graphOf("gemini", { checkpointer }).invoke(user("double 4"), thread);
  // another graph, as in another process, and another provider
  const { messages } = await graphOf("openai", { checkpointer }).invoke(user("what was it?"), thread);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "tool", "assistant", "user", "assistant"],
  );
  const sent = provider.received[2].body.messages;
  assert.deepEqual([sent.length, sent[2].role, sent[2].content], [5, "tool", "8"]);
});
