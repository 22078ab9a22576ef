// Texts with calls in them, in wasm: the vectors that the crate's own tests read too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseToolText, readToolText, textFormatOf } from "../../pkg/dist/text/index.js";
import { vectors } from "./support/vectors.mjs";

const cases = vectors("reads");

/** Options that collect what is dropped. */
const collecting = (options) => {
  const dropped = [];
  const onWarning = ({ code, message }) => {
    assert.equal(code, "content_dropped");
    dropped.push(message.slice(message.indexOf("`") + 1, -1));
  };
  return { ...options, onWarning, dropped };
};

const parsed = (text, given) => {
  const { dropped, ...options } = collecting(given);
  return { ...shapeOf(parseToolText(text, options)), dropped };
};

const shapeOf = ({ text, reasoning = "", toolCalls, invalidToolCalls }) => ({
  content: text.trim(),
  reasoning,
  calls: toolCalls.map(({ name, arguments: args }) => [name, args]),
  invalid: invalidToolCalls.map(({ rawArguments }) => rawArguments),
});
const expectedOf = ({ content = "", reasoning = "", calls, dropped = [] }) => ({
  dropped,
  content,
  reasoning,
  calls: calls.filter((call) => typeof call !== "string"),
  invalid: calls.filter((call) => typeof call === "string"),
});

/** What the events of the pieces amount to. */
function inPieces(pieces, given) {
  const { dropped, ...options } = collecting(given);
  const reader = readToolText(options);
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  const joined = (type) =>
    events
      .filter((event) => event.type === type)
      .map(({ text }) => text)
      .join("");
  const calls = events.filter(({ type }) => type === "toolCallEnd").map(({ call }) => call);
  assert.deepEqual(
    events.filter(({ type }) => type === "dropped"),
    [],
  );
  const shape = shapeOf({
    text: joined("textDelta"),
    reasoning: joined("reasoningDelta"),
    toolCalls: calls.filter(({ error }) => error === undefined),
    invalidToolCalls: calls.filter(({ error }) => error !== undefined),
  });
  return { ...shape, dropped };
}

for (const { format: id, tools = [], text, ...given } of cases) {
  // a stream needs the id of a format
  const format = id === "auto" ? parseToolText(text, { format: id, tools }).format : id;
  test(`${id}: ${JSON.stringify(text).slice(0, 60)}`, () => {
    const expected = expectedOf(given);
    assert.deepEqual(parsed(text, { format: id, tools }), expected);
    assert.deepEqual(inPieces([...text], { format, tools }), expected);
    assert.deepEqual(inPieces(text.split(/(?=[<{])/), { format, tools }), expected);
  });
}

test("a character may be split between two pieces", () => {
  const text = '<tool_call>{"name": "f", "arguments": {"a": "😀"}}</tool_call>';
  assert.deepEqual(inPieces(text.split(""), { format: "hermes_json" }).calls, [["f", { a: "😀" }]]);
});

test("formats are found by the name of a model", () => {
  assert.equal(textFormatOf("NousResearch/Hermes-3-Llama-3.1-8B"), "hermes_json");
  assert.equal(textFormatOf("unheard-of"), undefined);
});
