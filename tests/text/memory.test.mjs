// Reading a stream needs no memory for what was emitted: text and reasoning take none, arguments only what the call itself needs.

import assert from "node:assert/strict";
import { test } from "node:test";

const MB = 2 ** 20;

/** The entry point, and the size of the memory of its wasm. */
async function load() {
  const { Instance } = WebAssembly;
  const memories = [];
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      const instance = Reflect.construct(target, args);
      memories.push(instance.exports.memory);
      return instance;
    },
  });
  const { readToolText } = await import("../../pkg/dist/text/node.js?memory");
  return { readToolText, bytes: () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0) };
}

const { readToolText, bytes } = await load();
const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: "string" } } } }];
// brackets, tags and quotes that could begin a call
const WORDS = "Some words, [1] and a < b, `x` {y}: call me. \n\n".repeat(21);

/** By how much the memory grows while a text arrives: `open`, then `repeats` times about 1 kB, then `close`. */
function growth(format, [open, close], repeats, words = WORDS) {
  const reader = readToolText({ format, tools });
  const before = bytes();
  let length = 0;
  const events = (given) => {
    for (const event of given) length += event.text?.length ?? 0;
  };
  events(reader.push(open + words));
  for (let count = 1; count < repeats; count += 1) events(reader.push(words));
  events(reader.push(close));
  events(reader.end());
  assert.ok(length >= (repeats * words.length) / 2, `${format}: ${length} characters of events`);
  return bytes() - before;
}

const TEXT = {
  json: ["", ""],
  hermes_json: ["", ""],
  pythonic: ["", ""],
  gemma4: ["", ""],
  kimi_k3: ["<|open|>response<|sep|>", "<|close|>response<|sep|>"],
  harmony: ["<|channel|>final<|message|>", "<|return|>"],
};
const REASONING = {
  hermes_json: ["<think>", "</think>"],
  seed_oss: ["<seed:think>", "</seed:think>"],
  harmony: ["<|channel|>analysis<|message|>", "<|end|>"],
};
for (const [kind, formats] of Object.entries({ text: TEXT, reasoning: REASONING })) {
  for (const [format, around] of Object.entries(formats)) {
    test(`10 MB of ${kind}, ${format}`, () => {
      assert.ok(growth(format, around, 10 * 1024) < MB / 4);
    });
  }
}

test("text that is dropped, and text between calls", () => {
  const call = '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="f">\n</｜DSML｜invoke>\n';
  const reader = readToolText({ format: "deepseek_v4_dsml", tools });
  const before = bytes();
  reader.push(call);
  for (let count = 0; count < 5 * 1024; count += 1) reader.push(WORDS);
  reader.push("</｜DSML｜tool_calls>");
  for (let count = 0; count < 5 * 1024; count += 1) reader.push(WORDS);
  reader.end();
  assert.ok(bytes() - before < MB / 4);
});

test("arguments are kept for the event at the end of the call", () => {
  const calls = {
    hermes_json: ['<tool_call>{"name": "f", "arguments": {"a": "', '"}}</tool_call>'],
    qwen3_xml: ["<tool_call>\n<function=f>\n<parameter=a>\n", "\n</parameter>\n</function>\n</tool_call>"],
    mistral_args: ['[TOOL_CALLS]f[ARGS]{"a": "', '"}'],
    harmony: ['<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": "', '"}<|call|>'],
  };
  for (const [format, around] of Object.entries(calls)) {
    const grown = growth(format, around, 2 * 1024, "some words of an argument, ".repeat(38));
    // the text, the arguments, the event and copies that are made when these grow
    assert.ok(grown <= 16 * MB, `${format}: ${grown / MB} MB for 2 MB of arguments`);
  }
});
