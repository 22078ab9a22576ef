// `forms: "omit"`: canonical output without the forms in which the provider wrote its fields.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolwire from "../../pkg/dist/index.js";

const call = { id: "call_1", type: "function", function: { name: "f", arguments: '{ "x": 1 }' } };
const message = { role: "assistant", content: null, tool_calls: [call] };
const response = {
  id: "c",
  object: "chat.completion",
  model: "m",
  service_tier: "default",
  choices: [{ index: 0, message: { ...message, refusal: null }, logprobs: null, finish_reason: "tool_calls" }],
};
const formsIn = (value) => (JSON.stringify(value).match(/"form":|"responsesForm":/g) ?? []).length;

test("the default keeps forms, so that a body converted back is the same", () => {
  const canonical = toolwire.fromOpenAI(response);
  assert.ok(formsIn(canonical) > 0);
  assert.deepEqual(toolwire.fromOpenAI(response, { forms: "keep" }), canonical);
});

test("omitted forms leave everything else", () => {
  const canonical = toolwire.fromOpenAI(response, { forms: "omit" });
  assert.equal(formsIn(canonical), 0);
  assert.equal(canonical.metadata.openai.service_tier, "default");
  assert.deepEqual(canonical.toolCalls[0].arguments, { x: 1 });
  assert.equal(canonical.toolCalls[0].metadata.rawArguments, '{ "x": 1 }');
  const { toolCalls } = toolwire.fromOpenAIToolCalls(message, { forms: "omit" });
  assert.equal(formsIn(toolCalls), 0);
});

test("requests, text and streams too", () => {
  const request = { model: "m", messages: [{ role: "user", content: "Hi", name: null }, message], tools: null };
  assert.ok(formsIn(toolwire.fromOpenAIRequest(request)) > 0);
  assert.equal(formsIn(toolwire.fromOpenAIRequest(request, { forms: "omit" })), 0);
  const text = toolwire.convertResponse(JSON.stringify(response), { from: "openai", to: "canonical", forms: "omit" });
  assert.equal(formsIn(JSON.parse(text)), 0);
  const read = (options) => {
    const reader = toolwire.readStream({ from: "openai", ...options });
    const chunk = (delta, finish_reason = null) => ({
      id: "c",
      object: "chat.completion.chunk",
      model: "m",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    const events = [
      ...reader.push(chunk({ role: "assistant", content: null, tool_calls: [{ index: 0, ...call }] })),
      ...reader.push(chunk({}, "tool_calls")),
      ...reader.end(),
    ];
    return [events, reader.finish()];
  };
  assert.ok(formsIn(read({})) > 0);
  assert.equal(formsIn(read({ forms: "omit" })), 0);
});

test("no empty metadata is left behind", () => {
  const canonical = toolwire.fromOpenAI(
    { choices: [{ index: 0, message: { ...message, refusal: null }, finish_reason: "tool_calls" }] },
    { forms: "omit" },
  );
  assert.doesNotMatch(JSON.stringify(canonical), /"openai":\{\}|"metadata":\{\}/);
});
