// Names that JavaScript's objects inherit work like any others as names of tools, ids, arguments and fields.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolwire from "../../pkg/dist/index.js";
import { dialects as rows } from "../../scripts/lib/dialects.mjs";

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__", "prototype"];
const dialects = rows.map(({ name }) => name).filter((name) => name !== "universal");
const text = JSON.stringify;

/** An object with an own property of any name, as JSON.parse creates it. */
const own = (name, value) => JSON.parse(`{${text(name)}:${text(value)}}`);

const request = (name) => ({
  model: "m",
  maxTokens: 50,
  messages: [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: `${name}1`, name, arguments: own(name, { a: own(name, 1) }) }],
    },
    { role: "tool", toolCallId: `${name}1`, name, kind: "data", value: own(name, own(name, 2)) },
  ],
  tools: [
    {
      name,
      description: "d",
      parameters: { type: "object", properties: own(name, { type: "integer" }), required: [name] },
    },
    { name: `${name}.x`, description: "e" },
  ],
});

/** The prototype of all objects must not have changed. */
const clean = Object.getOwnPropertyNames(Object.prototype).sort();
const assertClean = () => assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), clean);

const callsOf = ({ messages }) => messages.find((message) => message.toolCalls).toolCalls;

for (const name of names) {
  test(`${name} is a name like any other`, () => {
    const original = request(name);
    for (const to of dialects) {
      const conversion = { from: "canonical", to };
      const body = toolwire.convertRequest(original, conversion);
      assert.equal(text(body), toolwire.convertRequest(text(original), conversion), to);
      const [call] = callsOf(toolwire.convertRequest(body, { from: to, to: "canonical" }));
      assert.equal(call.name, name, to);
      assert.equal(text(call.arguments), text(original.messages[1].toolCalls[0].arguments), to);
      assert.equal(Object.getPrototypeOf(call.arguments), Object.prototype);
      assert.equal(
        text(toolwire.contextOf(original, conversion)),
        text(toolwire.contextOf(text(original), conversion)),
      );
    }
    assertClean();
  });

  test(`${name} in a response, whole and streamed, with a context`, () => {
    const context = { names: own(name, "theirs"), ids: own(`${name}1`, `${name}_1`) };
    const call = { id: `${name}1`, type: "function", function: { name, arguments: text(own(name, 1)) } };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const response = { choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const expected = { id: `${name}_1`, name: "theirs", arguments: own(name, 1) };
    const whole = toolwire.fromOpenAI(response, { context });
    assert.equal(text(whole.toolCalls), text([expected]));
    const delta = { tool_calls: [{ index: 0, ...call }] };
    const reader = toolwire.readStream({ from: "openai", context });
    reader.push(`data: ${text({ choices: [{ index: 0, delta, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`);
    assert.equal(text(reader.finish().toolCalls), text([expected]));
    const converted = toolwire.convertResponse(response, { from: "openai", to: "anthropic", context });
    assert.equal(
      text(converted.content),
      text([{ type: "tool_use", id: `${name}_1`, name: "theirs", input: own(name, 1), caller: { type: "direct" } }]),
    );
    assertClean();
  });
}

test("a name that becomes __proto__ for the target is in the context", () => {
  const tools = [
    { type: "namespace", name: "", description: "d", tools: [{ type: "function", name: "proto__", parameters: {} }] },
  ];
  const body = { model: "m", input: "Hi", tools };
  const conversion = { from: "openai-responses", to: "openai" };
  const written = toolwire.convertRequest(body, conversion).tools[0].function.name;
  assert.equal(written, "__proto__");
  const context = toolwire.contextOf(body, conversion);
  assert.deepEqual(Object.keys(context.names), [written]);
  assert.equal(text(context), text(toolwire.contextOf(text(body), conversion)));
  assert.equal(Object.getPrototypeOf(context.names), Object.prototype);
});

test("an option __proto__ is unknown, with default options, too", () => {
  const expected = { code: "invalid_value", path: "/options/__proto__" };
  const act = () =>
    toolwire.toOpenAI({ messages: [{ role: "user", content: "Hi" }] }, own("__proto__", { lossy: "error" }));
  assert.throws(act, expected);
  toolwire.setDefaultOptions({ lossy: "allow" });
  try {
    assert.throws(act, expected);
  } finally {
    toolwire.setDefaultOptions(undefined);
  }
});
