// The time for large input grows in proportion to its size, not to the square of its size.

import assert from "node:assert/strict";
import { test } from "node:test";
import { worked } from "../support/time.mjs";
import { esm } from "./support/package.mjs";

const toolwire = await import(esm);

const COUNT = 8000;
/** Several times longer than linear time takes, and a fraction of what quadratic time would take. */
const MOST_MILLISECONDS = 1500;

const many = (make) => Array.from({ length: COUNT }, (_, index) => make(index));
const call = (id, name = "f") => ({ id, name, arguments: {} });
const result = (id, name = "f") => ({ role: "tool", toolCallId: id, name, kind: "text", value: "v" });
/** Fewer elements, for inputs that take longer to convert. */
const some = (make) => many(make).slice(0, 3000);
const schema = (rest) => ({
  messages: [{ role: "user", content: "Hi" }],
  tools: [{ name: "f", parameters: { type: "object", ...rest }, strict: true }],
});
const closed = (properties) => ({
  type: "object",
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
  additionalProperties: false,
});
const turn = (toolCalls, content = "") => ({ role: "assistant", content, toolCalls });

const requests = {
  "results in reverse": { messages: [turn(many((i) => call(`c${i}`))), ...many((i) => result(`c${i}`)).reverse()] },
  "results by name": { messages: [turn(many((i) => call(`c${i}`, `f${i}`))), ...many((i) => result("", `f${i}`))] },
  "one id for all calls of a turn": { messages: [turn(many(() => call("same"))), ...many(() => result("same"))] },
  "one id in all turns": { messages: many(() => [turn([call("same")]), result("same")]).flat() },
  "marks in reverse": {
    messages: [
      turn(
        many((i) => call(`c${i}`)),
        [...many((i) => ({ type: "toolCall", id: `c${COUNT - 1 - i}` })), { type: "text", text: "end" }],
      ),
    ],
  },
  "an allow-list of all tools": {
    messages: [{ role: "user", content: "Hi" }],
    tools: many((i) => ({ name: `f${i}` })),
    toolChoice: { allowed: many((i) => `f${i}`) },
  },
  "ids that the target does not take": {
    messages: [turn(many((i) => call(`!${i}`))), ...many((i) => result(`!${i}`))],
  },
  "schemas that are joined at the root": schema({
    allOf: some((i) => ({ properties: { [`p${i}`]: {} }, required: [`p${i}`] })),
  }),
  "alternatives at the root of a schema": schema({ anyOf: some((i) => ({ properties: { kind: { const: i } } })) }),
  "properties of alternatives": schema({
    properties: {
      one: { oneOf: [1, 1].map((value) => closed(some((i) => [`p${i}`, { type: "integer", const: value }]))) },
    },
  }),
  "objects that two enums list": schema({
    properties: {
      a: { allOf: [{ enum: some((i) => ({ a: i })) }, { enum: some((i) => ({ a: 2 * i })) }] },
    },
  }),
  "alternatives inside of alternatives": schema({
    properties: {
      a: Array.from({ length: 25 }).reduce(
        (below) => ({ properties: { below }, anyOf: [{ required: ["below"] }, { minProperties: 1 }] }),
        { type: "string" },
      ),
    },
  }),
  "settings of the user's own": {
    messages: [{ role: "user", content: "Hi" }],
    metadata: Object.fromEntries(many((i) => [`k${i}`, i])),
  },
};
for (const [kind, request] of Object.entries(requests)) {
  test(`${COUNT} × ${kind}`, () => {
    const text = JSON.stringify(request);
    for (const body of [request, text]) {
      const start = worked();
      toolwire.convertRequest(body, { from: "canonical", to: "anthropic" });
      const taken = worked() - start;
      assert.ok(taken < MOST_MILLISECONDS, `from ${typeof body}: ${Math.round(taken)} ms`);
    }
  });
}

test("a schema that becomes too large when it is rewritten is reported", () => {
  let unfolding = { type: "string" };
  for (let level = 0; level < 20; level++) {
    unfolding = { properties: { next: unfolding }, anyOf: [{ required: ["next"] }, { minProperties: 1 }] };
  }
  const { messages, tools } = schema({ properties: { unfolding } });
  for (const to of ["openai", "anthropic", "gemini"]) {
    const reported = [];
    const onWarning = ({ message }) => reported.push(message);
    toolwire.convertRequest({ messages, tools }, { from: "canonical", to, geminiSchema: "openapi", onWarning });
    assert.ok(
      reported.some((message) => /becomes too large/.test(message)),
      to,
    );
  }
});

// Long output leaves the wasm in pieces, which may end in the middle of a character.
const words = {
  ASCII: "weather ",
  Japanese: "明日の天気",
  "more than 16 bits": "😀天",
  mixed: "a\u{e9}\u{5929}\u{1f600}",
};
for (const [kind, word] of Object.entries(words)) {
  test(`long output, ${kind}`, () => {
    const long = { role: "user", content: word.repeat(30_000) };
    const short = Array.from({ length: 4000 }, (_, index) => ({
      role: "user",
      content: `${word.repeat(index % 11)}.`,
    }));
    for (const messages of [[long], short, [...short, long, ...short]]) {
      const request = { model: "m", messages };
      const expected = toolwire.convertRequest(request, { from: "openai", to: "canonical" });
      const text = toolwire.convertRequest(JSON.stringify(request), { from: "openai", to: "canonical" });
      assert.deepEqual(JSON.parse(text), expected);
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      const output = toolwire.convertRequest(bytes, { from: "openai", to: "canonical" });
      assert.deepEqual(new TextDecoder().decode(output), text);
      assert.equal(output.byteLength, output.buffer.byteLength);
    }
  });
}
