// Objects that each turn makes share their hidden classes. V8 makes one for each object of a literal with getters, and of `{ ...a, b }`;
// it stays, with what its getters refer to, until the old generation is collected, and the code that uses the objects is slow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { response, user } from "./support/model.mjs";
import { runAgent, Toolkit } from "./support/toolkit.mjs";

setFlagsFromString("--allow-natives-syntax");
const haveSameClass = new Function("a", "b", "return %HaveSameMap(a, b)");

const turns = 60;

/** What the turns of a run make. */
async function madeBy(execute) {
  const contexts = [];
  const requests = [];
  const tool = {
    name: "f",
    parameters: { type: "object" },
    execute: (_args, context) => execute(contexts.push(context), context),
  };
  const send = async (request, { iteration }) => {
    requests.push(request);
    return iteration === turns ? response("Done.") : response("", [[`c${iteration}`, "f", { iteration }]]);
  };
  const toolkit = new Toolkit([tool]);
  const request = { model: "m", temperature: 1, ...user("x") };
  const { executions, reason } = await runAgent({ request, toolkit, send, maxIterations: turns });
  assert.equal(reason, "answer");
  return { contexts, requests, executions, results: executions.map(({ result }) => result) };
}

test("the objects that each turn makes share their hidden classes", async () => {
  assert.equal(haveSameClass({ a: 1 }, { b: 1 }), false);
  const made = await madeBy((count) => ({ count }));
  for (const [kind, objects] of Object.entries(made)) {
    const [one, other] = objects.slice(-2);
    assert.notEqual(one, other);
    assert.ok(haveSameClass(one, other), kind);
  }
});

test("a copy of a call context has all its fields", async () => {
  let count = 0;
  const check = (context) => {
    const copy = { ...context, context: "other" };
    assert.ok(copy.signal instanceof AbortSignal);
    assert.equal(copy.signal, context.signal);
    assert.equal(copy.messages, context.messages);
    assert.match(copy.idempotencyKey, /:1:c1$/);
    assert.deepEqual([copy.call.id, copy.attempt, copy.iteration, copy.context], ["c1", 1, 1, "other"]);
    assert.deepEqual(Object.getOwnPropertySymbols(copy), Object.getOwnPropertySymbols(context));
    return ++count;
  };
  await madeBy((_, context) => (count === 0 ? check(context) : count));
  assert.equal(count, 1);
});

test("the fields of a call context can be read when the run is over", async () => {
  const contexts = [];
  await madeBy((_, context) => contexts.push(context));
  const keys = contexts.map(({ idempotencyKey }) => idempotencyKey);
  assert.ok(keys.length > 1);
  for (const [index, key] of keys.entries()) assert.match(key, new RegExp(`:${index + 1}:c${index + 1}$`));
  for (const context of contexts) assert.ok(Array.isArray(context.messages));
});
