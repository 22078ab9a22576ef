// The memory of the wasm of the toolkit and of the text formats does not grow from call to call.

import assert from "node:assert/strict";
import { test } from "node:test";

/** Imports an entry of the package; `bytes` of the result is the memory size of its own wasm, the last one created. */
async function load(entry) {
  const { Instance } = WebAssembly;
  const memories = [];
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      const instance = Reflect.construct(target, args);
      memories.push(instance.exports.memory);
      return instance;
    },
  });
  const module = await import(`../../pkg/dist/${entry}/node.js?memory`);
  return { module, bytes: () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0) };
}

function assertFlat(run, bytes) {
  for (let round = 0; round < 5; round++) run();
  const before = bytes();
  for (let round = 0; round < 40; round++) run();
  assert.equal(bytes(), before);
}

test("parseToolText", async () => {
  const { module, bytes } = await load("text");
  const call = '<tool_call>{"name": "f", "arguments": {"a": [1, 2, 3], "text": "some words"}}</tool_call>\n';
  const text = "Let me see.\n".repeat(2000) + call.repeat(100);
  assertFlat(() => assert.equal(module.parseToolText(text, { format: "hermes_json" }).toolCalls.length, 100), bytes);
});

test("repairJson", async () => {
  const { module, bytes } = await load("toolkit");
  const text = `{${Array.from({ length: 500 }, (_, index) => `key${index}: 'a value',`).join("\n")}`;
  assertFlat(() => assert.equal(Object.keys(module.repairJson(text).value).length, 500), bytes);
});
