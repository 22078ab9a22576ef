// `sendTo` with a stage that simulates tools: a run works as with native tools, and native tools can be tried first.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bracketStage } from "../text/support/stage.mjs";
import { double, isComplete, resultsIn, user } from "./support/model.mjs";
import { startProvider, upstreams } from "./support/provider.mjs";
import { runAgent, sendTo, Toolkit } from "./support/toolkit.mjs";

const says = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });
const calls = (id, args) => ({
  blocks: [{ type: "call", id, name: "double", pieces: [JSON.stringify(args)] }],
  finish: "tool_calls",
});
const dialects = Object.keys(upstreams);

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const toolkit = new Toolkit([double]);

async function outcomeOf(dialect, script, target) {
  provider.play(...script);
  const { model } = upstreams[dialect];
  const send = sendTo({
    to: dialect,
    baseUrl: `${provider.url}/${dialect}`,
    apiKey: "k",
    simulate: bracketStage(),
    ...target,
  });
  const run = () => runAgent({ request: { model, maxTokens: 100, ...user("x") }, toolkit, send, timeoutMs: 10_000 });
  return { outcome: await run(), run };
}

const sentTools = () =>
  provider.received.map(({ body }) => (body.tools ?? body.config?.tools ?? []).length > 0 || body.tools !== undefined);

for (const stream of [true, false]) {
  test(`a run with simulated tools, ${stream ? "streamed" : "whole"}, repairs included`, async () => {
    for (const dialect of dialects) {
      const script = [
        says("Let me see. [double", '{"n":"4"}][double{"n":5}]'),
        says('[double{"n":"many"}]'),
        says("8 and 10"),
      ];
      const { outcome } = await outcomeOf(dialect, script, { stream });
      assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 8 and 10", dialect);
      const results = Object.values(resultsIn(outcome.messages)).map((value) => value?.error_type ?? value);
      assert.ok(results.includes(10) || results.includes("invalid_arguments"), `${dialect}: ${results}`);
      assert.ok(isComplete(outcome.messages), dialect);
      assert.deepEqual(sentTools(), [false, false, false], dialect);
    }
  });
}

const messages = {
  ollama: [400, "registry.ollama.ai/library/gemma:2b does not support tools"],
  vLLM: [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  "llama.cpp": [500, "tools param requires --jinja flag"],
  OpenRouter: [404, "No endpoints found that support tool use. To learn more about provider routing, visit the docs."],
};
for (const [server, [status, message]] of Object.entries(messages)) {
  test(`${server} reports that it has no tools: the request is sent again with simulated ones`, async () => {
    for (const stream of [true, false]) {
      const script = [{ status, message }, says('[double{"n":4}]'), says("8"), says("again")];
      const { outcome, run } = await outcomeOf("openai", script, { simulateWhen: "unsupported", stream });
      assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 8");
      assert.deepEqual(Object.values(resultsIn(outcome.messages)), [8]);
      assert.deepEqual(sentTools(), [true, false, false]);
      // that tools must be simulated is remembered
      assert.equal((await run()).text, "again");
      assert.deepEqual(sentTools(), [true, false, false, false]);
    }
  });
}

test("where the server has tools, native ones are used", async () => {
  const { outcome } = await outcomeOf("openai", [calls("c1", { n: 4 }), says("[double{}]")], {
    simulateWhen: "unsupported",
  });
  assert.equal(outcome.text, "[double{}]");
  assert.deepEqual(sentTools(), [true, true]);
});

test("other errors are not a reason to send again", async () => {
  const { outcome } = await outcomeOf("openai", [{ status: 400, message: "Bad request." }], {
    simulateWhen: "unsupported",
  });
  assert.equal(outcome.reason, "error");
  assert.equal(provider.received.length, 1);
  const always = await outcomeOf("openai", [{ status: 400, message: "does not support tools" }], {});
  assert.equal(always.outcome.reason, "error");
  assert.equal(provider.received.length, 1);
});
