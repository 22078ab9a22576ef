// Calls with the same id.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromOpenAI } from "../../pkg/dist/index.js";
import { callOf, Toolkit } from "./support/toolkit.mjs";

const counting = () => {
  const seen = [];
  const tool = {
    name: "add",
    parameters: { type: "object", properties: { a: { type: "integer" }, b: { type: "object" } } },
    execute: ({ a }) => {
      seen.push(a);
      return a + 1;
    },
  };
  return { seen, toolkit: new Toolkit([tool]) };
};

test("equal id, name and arguments: the call runs once, and both get the result", async () => {
  const { seen, toolkit } = counting();
  const calls = [callOf("add", { a: 1, b: { x: 1, y: 2 } }, "x"), callOf("add", { b: { y: 2, x: 1 }, a: 1 }, "x")];
  const executions = await toolkit.run(calls);
  assert.deepEqual(seen, [1]);
  assert.deepEqual(
    executions.map(({ result }) => [result.toolCallId, result.value]),
    [
      ["x", 2],
      ["x", 2],
    ],
  );
});

test("equal ids, other arguments: each call runs with its own, under the id that a reader would give", async () => {
  const { seen, toolkit } = counting();
  const calls = [1, 5, 9].map((a) => callOf("add", { a }, "x"));
  const executions = await toolkit.run(calls);
  assert.deepEqual(seen.sort(), [1, 5, 9]);
  assert.deepEqual(
    executions.map(({ result }) => result.value),
    [2, 6, 10],
  );
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const read = fromOpenAI({ choices: [{ message: { role: "assistant", tool_calls: toolCalls } }] });
  const ids = read.toolCalls.map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(
    executions.map(({ call }) => call.id),
    ids,
  );
  assert.deepEqual(
    executions.map(({ result }) => result.toolCallId),
    ids,
  );
});
