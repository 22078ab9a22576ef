// An agent run with a model without tool calling: its text contains the calls, and failed ones are repaired.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { double, isComplete, resultsIn, user } from "../toolkit/support/model.mjs";
import { startProvider } from "../toolkit/support/provider.mjs";
import { runAgent, sendTo, Toolkit } from "../toolkit/support/toolkit.mjs";
import { simulateTools } from "./support/text.mjs";
import { expected, families, piecesOf, tool } from "./support/texts.mjs";

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const toolkit = new Toolkit([double]);

const says = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });
const call = (args) => `<tool_call>\n{"name": "double", "arguments": ${args}}\n</tool_call>`;

for (const stream of [true, false]) {
  test(`hermes_json, ${stream ? "streamed" : "whole"}: a call with wrong arguments, its repair, and the final response`, async () => {
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

const simulating = (format, more) =>
  sendTo({ to: "openai", baseUrl: `${provider.url}/openai`, apiKey: "k", simulate: simulateTools(format), ...more });

for (const [format, { output, text = "" }] of Object.entries(families)) {
  test(`${format}: calls arrive like native ones`, async () => {
    for (const stream of [true, false]) {
      const seen = [];
      const execute = (args) => {
        seen.push(args);
        return "sunny";
      };
      provider.play(says(...piecesOf(output, 4)), says("It is sunny."));
      const options = { request: { model: "m", ...user("Rain?") }, toolkit: new Toolkit([{ ...tool, execute }]) };
      const outcome = await runAgent({ ...options, send: simulating(format, { stream }), timeoutMs: 10_000 });
      assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: It is sunny.");
      assert.deepEqual(seen, [expected]);
      assert.ok(isComplete(outcome.messages));
      const [, { content, toolCalls }] = outcome.messages;
      const prose = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      assert.deepEqual([prose.trim(), toolCalls.map(({ name }) => name)], [text, ["get_weather"]]);
    }
  });
}

const runOf = async (...script) => {
  provider.play(...script);
  const request = { model: "m", ...user("2 × 21?") };
  return runAgent({ request, toolkit, send: simulating("hermes_json"), timeoutMs: 10_000 });
};

test("a call with JSON that is nearly right is repaired without another request", async () => {
  const outcome = await runOf(says(call("{'n': 21,}")), says("42."));
  assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 42.");
  assert.deepEqual(Object.values(resultsIn(outcome.messages)), [42]);
});

test("the model sees its own text and the reason after a call that was not JSON", async () => {
  const outcome = await runOf(says(call("[21]")), says(call('{"n": 21}')), says("42."));
  assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 42.");
  const [failed, doubled] = Object.values(resultsIn(outcome.messages));
  assert.deepEqual([failed.error_type, doubled], ["invalid_arguments", 42]);
  const [, , shown, reason] = provider.received[1].body.messages.map(({ content }) => content);
  assert.match(shown, /<tool_call>.*\[21\].*<\/tool_call>/s);
  assert.match(reason, /<tool_response>.*invalid_arguments.*<\/tool_response>/s);
});

test("a call that was cut off does not run", async () => {
  const cut = { ...says(call('{"n": 21}').slice(0, -14)), finish: "length" };
  const outcome = await runOf(cut, says(call('{"n": 21}')), says("42."));
  assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 42.");
  const results = Object.values(resultsIn(outcome.messages));
  assert.deepEqual(
    results.map((value) => value?.error_type ?? value),
    ["truncated", 42],
  );
});

test("repairs are counted", async () => {
  const outcome = await runOf(...Array.from({ length: 3 }, () => says(call('{"n": "many"}'))));
  assert.equal(outcome.reason, "repairs_exhausted");
  assert.equal(provider.received.length, 3);
});

test("a native tool together with simulated ones ends the run before anything is sent", async () => {
  provider.play(says("42."));
  const native = { type: "native", provider: "openai", value: { type: "web_search" } };
  const request = { model: "m", ...user("2 × 21?"), tools: [native] };
  const outcome = await runAgent({ request, toolkit, send: simulating("hermes_json") });
  assert.equal(outcome.reason, "error");
  assert.match(outcome.error.message, /native tools can't be combined with simulated ones/);
  assert.equal(provider.received.length, 0);
});

for (const stream of [true, false]) {
  test(`text that a simulation drops is a warning of \`sendTo\`, ${stream ? "streamed" : "whole"}`, async () => {
    const output =
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="double">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls> Bye.';
    provider.play(says(...piecesOf(output, 4)));
    const warnings = [];
    const options = { onWarning: (warning) => warnings.push(warning) };
    const send = simulating("deepseek_v4_dsml", { stream, options });
    const request = { model: "m", ...user("2 × 21?"), tools: [{ name: "double" }] };
    const sent = await send(request, { signal: new AbortController().signal, iteration: 0 });
    if (stream) for await (const _ of sent);
    assert.deepEqual(
      warnings.filter(({ code }) => code === "content_dropped").map(({ message, lossy }) => [message, lossy]),
      [["text after the calls was dropped: `Bye.`", true]],
    );
  });
}

test('`lossy: "error"` applies to warnings of a simulation', async () => {
  const output = '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="double">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls> Bye.';
  provider.play(says(output));
  const send = simulating("deepseek_v4_dsml", { stream: false, options: { lossy: "error" } });
  const request = { model: "m", ...user("2 × 21?"), tools: [{ name: "double" }] };
  const sent = async () => send(request, { signal: new AbortController().signal, iteration: 0 });
  await assert.rejects(sent, { name: "ToolwireError", code: "lossy", message: /text after the calls was dropped/ });
});

/** Calls that can't be read, by format. */
const BROKEN = {
  gemma4: "<|tool_call>call:double(n=1:2)<tool_call|>",
  functiongemma: "call:double{n:1,n:2}",
  functionary_v32: ">>>double\n",
  lfm2: "<|tool_call_start|>[double(n=f'1')]<|tool_call_end|>",
  glm47: "<tool_call>double<arg_key>n</arg_key>x</tool_call>",
  qwen3_xml: "<tool_call>\n<function=double>\n<param",
};
for (const [format, broken] of Object.entries(BROKEN)) {
  test(`${format}: a call that can't be read is no response, and the model learns its format`, async () => {
    provider.play(says(broken), says("It is 42."));
    const request = { model: "m", ...user("2 × 21?") };
    const outcome = await runAgent({ request, toolkit, send: simulating(format), timeoutMs: 10_000 });
    assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: It is 42.");
    const [failure] = Object.values(resultsIn(outcome.messages));
    assert.match(JSON.stringify(failure), /format|the text ends/);
    assert.doesNotMatch(JSON.stringify(failure), /JSON object|there is no tool/);
  });
}
