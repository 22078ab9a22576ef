// An agent run with a model that has no tool calling: its text has the calls, and a failed one is repaired.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isComplete, resultsIn, user } from "../toolkit/support/model.mjs";
import { startProvider } from "../toolkit/support/provider.mjs";
import { runAgent, sendTo, Toolkit } from "../toolkit/support/toolkit.mjs";
import { simulateTools } from "./support/text.mjs";

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const toolkit = new Toolkit([
  {
    name: "double",
    description: "Doubles n.",
    parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    execute: ({ n }) => n * 2,
  },
]);

const says = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });
const call = (args) => `<tool_call>\n{"name": "double", "arguments": ${args}}\n</tool_call>`;

for (const stream of [true, false]) {
  test(`hermes_json, ${stream ? "streamed" : "whole"}: a call with wrong arguments, its repair, and the answer`, async () => {
    const [start, rest] = [call('{"n": 21}').slice(0, 20), call('{"n": 21}').slice(20)];
    provider.play(says(call('{"n": "many"}')), says("Again: ", start, rest), says("It is 42."));
    const send = sendTo({
      to: "openai",
      baseUrl: `${provider.url}/openai`,
      apiKey: "k",
      stream,
      simulate: simulateTools("hermes_json"),
    });
    const outcome = await runAgent({ request: { model: "m", ...user("2 × 21?") }, toolkit, send, timeoutMs: 10_000 });
    assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: It is 42.");
    const results = Object.values(resultsIn(outcome.messages));
    assert.deepEqual(
      results.map((value) => value?.error_type ?? value),
      ["invalid_arguments", 42],
    );
    assert.ok(isComplete(outcome.messages));

    const bodies = provider.received.map(({ body }) => body);
    assert.deepEqual(
      bodies.map(({ tools, messages }) => [tools, messages.map(({ role }) => role).join(" ")]),
      [
        [undefined, "system user"],
        [undefined, "system user assistant user"],
        [undefined, "system user assistant user assistant user"],
      ],
    );
    const [, , first, failed, second, doubled] = bodies[2].messages.map(({ content }) => content);
    assert.match(first, /<tool_call>.*many.*<\/tool_call>/s);
    assert.match(failed, /<tool_response>.*invalid_arguments.*<\/tool_response>/s);
    assert.match(second, /^Again:.*<tool_call>.*21.*<\/tool_call>/s);
    assert.match(doubled, /<tool_response>.*42.*<\/tool_response>/s);
  });
}
