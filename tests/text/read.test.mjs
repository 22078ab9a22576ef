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

/** The result of all pieces' events. */
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

test("reasoning whose first token is in the prompt", () => {
  for (const prefill of [
    undefined,
    "<|turn>model\n",
    "<|turn>model\n<|channel>",
    "<|turn>model\n<|channel>thought\n",
  ]) {
    const given = prefill?.endsWith("thought\n") ? "hm\n<channel|>Hello" : "thought\nhm\n<channel|>Hello";
    const { reasoning, text } = parseToolText(given, { format: "gemma4", prefill });
    assert.deepEqual([reasoning.trim(), text], ["hm", "Hello"], prefill);
  }
});

test("a character may be split between two pieces", () => {
  const text = '<tool_call>{"name": "f", "arguments": {"a": "😀"}}</tool_call>';
  assert.deepEqual(inPieces(text.split(""), { format: "hermes_json" }).calls, [["f", { a: "😀" }]]);
});

test("a call continues the marker at the end of the prompt", () => {
  const call = '{"name": "f", "arguments": {"a": 1}}';
  const prompts = [
    ["hermes_json", "<tool_call>\n", `${call}\n</tool_call>`],
    ["gigachat3", "assistant<|role_sep|>\n<|function_call|>", call],
    ["dots", "<dots_function_call>\n", '<invoke name="f">\n<parameter name="a">1</parameter>\n</invoke>'],
  ];
  const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: "integer" } } } }];
  for (const [format, prefill, text] of prompts) {
    const { calls, content } = parsed(text, { format, prefill, tools });
    assert.deepEqual([calls, content], [[["f", { a: 1 }]], ""], format);
    assert.deepEqual(parsed(text, { format: "auto", prefill, tools }).calls, calls, format);
    assert.deepEqual(inPieces([...text], { format, prefill, tools }).calls, calls, format);
  }
});

test("formats are found by the name of a model", () => {
  assert.equal(textFormatOf("NousResearch/Hermes-3-Llama-3.1-8B"), "hermes_json");
  assert.equal(textFormatOf("unheard-of"), undefined);
});

test("formats are found by a chat template, or by the parser of mlx-lm", () => {
  const template = "{{ '<tool_call>\\n<function=' + call.name + '>\\n' }}";
  assert.equal(textFormatOf({ template }), "qwen3_xml");
  const fields = {
    thinking: { open: "<muse>", close: "</muse>", content: "text" },
    tool_calls: { open: "<act>", close: "</act>", repeats: true, content: "json" },
    content: { close: "<|end|>", content: "text" },
  };
  const responseTemplate = { start_anchor: "<|assistant|>", fields };
  const built = textFormatOf({ responseTemplate, template });
  assert.equal(built, JSON.stringify(responseTemplate), "the response template decides");
  const read = parseToolText('<muse>hm</muse>Hi.<act>{"name": "f", "arguments": {"a": 1}}</act><|end|>', {
    format: built,
  });
  const calls = read.toolCalls.map(({ name, arguments: values }) => [name, values]);
  assert.deepEqual([read.reasoning, read.text, calls], ["hm", "Hi.", [["f", { a: 1 }]]]);
  const known = { "x-regex-iterator": "<tool_call>\\s*(.*?)\\s*</tool_call>", items: { "x-parser": "json" } };
  assert.equal(textFormatOf({ responseSchema: { type: "object", properties: { tool_calls: known } } }), "hermes_json");
  assert.equal(textFormatOf({ responseTemplate: {} }), undefined);
  assert.equal(textFormatOf({ toolParserType: "json_tools" }), "hermes_json");
  assert.equal(textFormatOf({ template, toolParserType: "json_tools" }), "qwen3_xml", "the template decides");
  assert.equal(textFormatOf({ template: "{{ messages }}", toolParserType: "kimi_k2" }), "kimi_k2");
  for (const unknown of [{}, { template: "" }, { toolParserType: "other" }])
    assert.equal(textFormatOf(unknown), undefined);
});

// deltas cross the boundary as lines: a line break in an id or a text, and text that looks like JSON, must not confuse them
test("deltas are as in the text", () => {
  const id = "functions.note\n:0";
  const pieces = ["[1]\n2", "\n3", `<|tool_calls_section_begin|><|tool_call_begin|>${id}<|tool_call_argument_begin|>`];
  const reader = readToolText({ format: "kimi_k2", tools: [{ name: "note", parameters: { type: "object" } }] });
  const rest = ['{"a"', ":[1", "]}", "<|tool_call_end|><|tool_calls_section_end|>"];
  const events = [...[...pieces, ...rest].flatMap((piece) => reader.push(piece)), ...reader.end()];
  const texts = events.filter(({ type }) => type === "textDelta");
  assert.deepEqual(
    texts.map(({ block, text }) => [block, text]),
    [
      [0, "[1]\n2"],
      [0, "\n3"],
    ],
  );
  const deltas = events.filter(({ type }) => type === "toolCallDelta");
  assert.equal(deltas.map(({ text }) => text).join(""), '{"a":[1]}');
  const [{ id: started }] = events.filter(({ type }) => type === "toolCallStart");
  assert.ok(deltas.length > 1 && deltas.every((delta) => delta.id === started));
});
