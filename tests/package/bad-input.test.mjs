// For any input, every public function quickly returns a result or throws a ToolwireError, and the next call works.

import assert from "node:assert/strict";
import { test } from "node:test";
import { worked } from "../support/time.mjs";
import { esm, openAIBody, request } from "./support/package.mjs";

const toolwire = await import(esm);
const { ToolwireError } = toolwire;

const conversions = ["canonical", "openai", "anthropic", "gemini"].flatMap((from) =>
  ["canonical", "openai", "anthropic", "gemini"].map((to) => ({ from, to })),
);
const { convertStream, readStream } = toolwire;
const isClass = (value) => /^class\b/.test(Function.prototype.toString.call(value));
/** Every conversion, as a function of its input. */
const calls = Object.entries(toolwire).flatMap(([name, value]) => {
  if (typeof value !== "function" || isClass(value)) return [];
  if (!/^convert(Request|Response|Error)$/.test(name)) return [[name, (input) => value(input)]];
  return conversions.map((conversion) => [
    `${name} ${conversion.from} → ${conversion.to}`,
    (input) => value(input, conversion),
  ]);
});
for (const conversion of conversions) {
  const { from, to } = conversion;
  calls.push([`stream ${from} → ${to}`, (input) => convertStream(conversion).push(input)]);
  calls.push([
    `read stream ${from}`,
    (input) => [readStream({ from })].map((reader) => [reader.push(input), reader.finish()]),
  ]);
}

const nested = (depth, wrap) => {
  let value = wrap(1);
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
};
const cyclic = { role: "user" };
cyclic.self = cyclic;
cyclic.content = [cyclic];
cyclic.messages = [cyclic];
cyclic.contents = [cyclic];
cyclic.parts = [cyclic];
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const throwing = () => {
  throw new Error("no");
};
const everywhere = (value) => ({
  messages: value,
  contents: value,
  choices: value,
  content: value,
  candidates: value,
  message: value,
  tools: value,
  toolCalls: value,
});
const bodies = {
  openAIRequest: { model: "m", messages: [{ role: "user", content: "Hi" }], tools: [{ type: "function" }] },
  openAIResponse: { choices: [{ message: { role: "assistant", tool_calls: [{ function: { arguments: "{" } }] } }] },
  anthropicRequest: { max_tokens: 1, messages: [{ role: "user", content: [{ type: "tool_result" }] }] },
  anthropicResponse: { type: "message", content: [{ type: "tool_use", input: 1 }], stop_reason: "x" },
  geminiRequest: { contents: [{ parts: [{ functionResponse: {} }, {}] }] },
  geminiResponse: { candidates: [{ content: { parts: [{ functionCall: {} }] } }] },
  errorBody: { error: { message: "overloaded", type: "overloaded_error" } },
};

function givenAway() {
  const bytes = new Uint8Array(8);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

const inputs = {
  undefined: undefined,
  null: null,
  number: 7,
  NaN: Number.NaN,
  bigint: 10n,
  symbol: Symbol("s"),
  function: () => 1,
  string: "hello",
  "boxed string": new String("{}"),
  "empty string": "",
  "10 MB of [": "[".repeat(10_000_000),
  "10 MB of {": '{"a":'.repeat(2_000_000),
  "truncated JSON": '{"messages":[{"role":"us',
  "lone surrogate": '{"messages":[{"role":"user","content":"\ud800"}]}',
  bytes: new Uint8Array([0xff, 0xfe, 0]),
  "no bytes": new Uint8Array(),
  "bytes that were given away": givenAway(),
  "other bytes": new Uint16Array(3),
  buffer: new ArrayBuffer(8),
  array: [],
  "array of holes": new Array(3),
  "huge array": everywhere(new Array(2 ** 32 - 1)),
  object: {},
  "no prototype": Object.create(null),
  map: new Map([["messages", []]]),
  date: new Date(0),
  "invalid date": new Date(Number.NaN),
  error: new Error("x"),
  promise: Promise.resolve({}),
  "revoked proxy": revoked(),
  "revoked inside": everywhere(revoked()),
  "revoked in an array": everywhere([revoked()]),
  "proxy that throws": new Proxy({}, { ownKeys: throwing, get: throwing, getPrototypeOf: throwing }),
  "getter that throws": Object.defineProperty({}, "messages", { enumerable: true, get: throwing }),
  "toJSON that throws": { toJSON: throwing },
  "toJSON that gives itself": {
    toJSON() {
      return this;
    },
  },
  cyclic,
  "__proto__ key": JSON.parse(
    '{"__proto__":{"messages":[]},"messages":[{"__proto__":1,"role":"user","content":"Hi"}]}',
  ),
  "deep array": nested(100_000, (value) => [value]),
  "deep object": nested(100_000, (value) => ({ messages: [value] })),
  "deep everywhere": everywhere(nested(100_000, (value) => [value])),
  ...bodies,
  ...Object.fromEntries(Object.entries(bodies).map(([name, body]) => [`${name} as text`, JSON.stringify(body)])),
};

for (const [kind, input] of Object.entries(inputs)) {
  test(`${kind}: a result or a ToolwireError`, () => {
    for (const [name, call] of calls) {
      const start = worked();
      try {
        call(input);
      } catch (error) {
        assert.ok(error instanceof ToolwireError, `${name}: ${error?.stack}`);
        assert.notEqual(error.code, "internal", `${name}: ${error.message}`);
        assert.equal(typeof error.path, "string", name);
        assert.ok(error.message.length > 0 && error.message.length < 1000, name);
      }
      assert.ok(worked() - start < 2000, `${name} took too long`);
    }
    assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
  });
}

const deepSchema = nested(100_000, (value) => ({ type: "object", properties: { a: value } }));
const deepItems = nested(100_000, (value) => ({ anyOf: [{ items: value }] }));
const deepValue = nested(100_000, (value) => ({ a: [value] }));
const call = { id: "1", name: "f", arguments: deepValue };
const deep = {
  "tool with a deep schema": { messages: [], tools: [{ name: "f", parameters: deepSchema }] },
  "tool with deep items": { messages: [], tools: [{ name: "f", parameters: deepItems }] },
  "deep response format": { messages: [], responseFormat: { type: "jsonSchema", schema: deepSchema } },
  "deep arguments": { messages: [{ role: "assistant", content: "", toolCalls: [call] }] },
  "deep result": {
    messages: [
      { role: "assistant", content: "", toolCalls: [{ ...call, arguments: {} }] },
      { role: "tool", toolCallId: "1", name: "f", kind: "data", value: deepValue },
    ],
  },
  "deep metadata": {
    messages: [
      { role: "user", content: "Hi", metadata: { openai: deepValue, anthropic: deepValue, google: deepValue } },
    ],
  },
};
for (const [kind, input] of Object.entries(deep)) {
  test(`${kind}: a result or a ToolwireError`, () => {
    for (const convert of ["toOpenAI", "toAnthropic", "toGemini", "toGoogleGenAI"]) {
      for (const options of [undefined, { geminiSchema: "openapi" }]) {
        try {
          toolwire[convert](input, options);
        } catch (error) {
          assert.ok(error instanceof ToolwireError, `${convert}: ${error?.stack}`);
          assert.notEqual(error.code, "internal", `${convert}: ${error.message}`);
        }
      }
    }
    assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
  });
}

test("nesting up to maxDepth: a result or a ToolwireError", () => {
  let schema = "{}";
  for (let i = 0; i < 980; i++) schema = `{"type":"object","properties":{"a":${schema}}}`;
  const text = `{"messages":[],"tools":[{"name":"f","parameters":${schema}}]}`;
  for (const { from, to } of conversions) {
    for (const maxDepth of [128, 2000]) {
      try {
        toolwire.convertRequest(text, { from, to, maxDepth, geminiSchema: "openapi" });
      } catch (error) {
        assert.notEqual(error.code, "internal", `${from} → ${to}: ${error.message}`);
      }
    }
  }
  assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
});

test("a value that JavaScript refuses is reported with its path", () => {
  const user = { role: "user", content: "Hi" };
  const loop = { a: [{}] };
  loop.a[0].b = loop;
  const places = [
    [{ x: [1, 5n] }, "/x/1"],
    [loop, "/a/0/b"],
  ];
  const turn = { role: "assistant", content: [], toolCalls: [{ id: "a", name: "f", arguments: {} }] };
  for (const [value, place] of places) {
    const result = { role: "tool", toolCallId: "a", name: "f", kind: "data", value };
    const call = { id: "a", name: "f", arguments: value };
    const block = { type: "tool_use", id: "a", name: "f", input: value };
    for (const [path, convert] of [
      [
        "/messages/1/toolCalls/0/arguments",
        () => toolwire.toOpenAI({ messages: [user, { ...turn, toolCalls: [call] }] }),
      ],
      ["/messages/2/value", () => toolwire.toOpenAI({ messages: [user, turn, result] })],
      [
        "/messages/1/content/0/input",
        () =>
          toolwire.convertRequest(
            { max_tokens: 9, messages: [user, { role: "assistant", content: [block] }] },
            { from: "anthropic", to: "openai" },
          ),
      ],
    ])
      assert.throws(convert, (error) => error.code === "unreadable" && error.path === path + place, path);
  }
});
