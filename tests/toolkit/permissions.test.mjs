// Which calls may run: filters, danger, authorisation, budget, approval.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, errorOf, Toolkit } from "./support/toolkit.mjs";

const executed = [];
const record = (args, { call }) => void executed.push([call.name, args]);
const amount = { type: "object", properties: { amount: { type: "integer", maximum: 50 } }, required: ["amount"] };
const read = { name: "read", category: "files", execute: record };
const erase = { name: "erase", category: "files", dangerous: true, execute: record };
const pay = { name: "pay", parameters: amount, needsApproval: true, execute: record };

const types = (executions) => executions.map(({ status, error }) => error?.type ?? status);

test("a dangerous tool is refused unless the filter allows it, and then needs approval", async () => {
  const toolkit = new Toolkit([read, erase]);
  assert.deepEqual(types(await toolkit.run([callOf("read"), callOf("erase")])), ["done", "not_allowed"]);
  const filter = { excludeDangerous: false };
  assert.deepEqual(types(await toolkit.run([callOf("erase")], { filter })), ["unapproved"]);
  assert.deepEqual(types(await toolkit.run([callOf("erase")], { filter, approve: () => true })), ["done"]);
  assert.deepEqual(
    toolkit.definitions().map(({ name }) => name),
    ["read"],
  );
});

test("a tool that the filter does not show is not allowed, and the message names those that are", async () => {
  const toolkit = new Toolkit([read, erase, pay]);
  const [execution] = await toolkit.run([callOf("read")], { filter: { names: ["pay"] } });
  assert.equal(errorOf(execution).error_type, "not_allowed");
  assert.match(errorOf(execution).error, /pay/);
  assert.doesNotMatch(errorOf(execution).error, /erase/);
});

test("an unknown tool gets an error result with the tools that the filter shows", async () => {
  const seen = [];
  const repairCall = (_call, [problem]) => void seen.push(problem.message);
  const toolkit = new Toolkit([read, erase, pay], { repairCall });
  const [execution] = await toolkit.run([callOf("eras")], {
    filter: { names: ["pay", "erase"], excludeDangerous: false },
  });
  const { error, error_type } = errorOf(execution);
  assert.equal(error_type, "unknown_tool");
  assert.match(error, /Did you mean "erase"\? The tools are erase, pay\./);
  assert.deepEqual(seen, [error]);
  assert.match(errorOf((await toolkit.run([callOf("eras")]))[0]).error, /Use one of these tools: read, pay\./);
});

test("requiresAuth runs only what authorize allows; without authorize, nothing", async () => {
  const secret = { name: "secret", requiresAuth: true, execute: () => "x" };
  const seen = [];
  const authorize = (tool, call, who) => {
    seen.push([tool.name, call.name, who]);
    return who.context?.admin === true;
  };
  const toolkit = new Toolkit([secret, read], { authorize });
  const run = async (context) =>
    types(await toolkit.run([callOf("secret"), callOf("read")], { context, sessionId: "s" }));
  assert.deepEqual(await run({ admin: true }), ["done", "done"]);
  assert.deepEqual(await run({}), ["unauthorized", "done"]);
  assert.deepEqual(seen[0], ["secret", "secret", { context: { admin: true }, sessionId: "s" }]);
  assert.equal(seen.length, 2);
  assert.deepEqual(types(await new Toolkit([secret]).run([callOf("secret")])), ["unauthorized"]);
  const failing = new Toolkit([secret], {
    authorize() {
      throw new Error("database password");
    },
  });
  const [execution] = await failing.run([callOf("secret")]);
  assert.equal(errorOf(execution).error_type, "unauthorized");
  assert.doesNotMatch(errorOf(execution).error, /password/);
});

test("the approver sees the arguments as they run: coerced and clamped", async () => {
  executed.length = 0;
  const shown = [];
  const approve = (call, tool) => {
    shown.push([call.arguments, tool.name]);
    return true;
  };
  const [execution] = await new Toolkit([pay]).run([callOf("pay", { amount: "100" })], { approve });
  assert.deepEqual(shown, [[{ amount: 50 }, "pay"]]);
  assert.deepEqual(executed, [["pay", { amount: 50 }]]);
  assert.deepEqual(execution.call.arguments, { amount: 50 });
  assert.ok(execution.changes.length > 0);
});

test("a denial carries its reason to the model", async () => {
  executed.length = 0;
  const decide = async (decision) =>
    errorOf((await new Toolkit([pay]).run([callOf("pay", { amount: 1 })], { approve: () => decision }))[0]);
  assert.deepEqual(await decide({ allow: false, reason: "too much" }), {
    error: "The call was denied: too much",
    error_type: "denied",
  });
  for (const decision of [false, { allow: false }, undefined, null, "yes", {}]) {
    assert.equal((await decide(decision)).error_type, "denied");
  }
  assert.equal((await decide(Promise.reject(new Error("secret")))).error_type, "denied");
  assert.deepEqual(executed, []);
});

test("edited arguments are checked again, and are those that run", async () => {
  executed.length = 0;
  const edit = async (args) =>
    (
      await new Toolkit([pay]).run([callOf("pay", { amount: 9 })], {
        approve: () => ({ allow: true, arguments: args }),
      })
    )[0];
  const done = await edit({ amount: "7" });
  assert.deepEqual(done.call.arguments, { amount: 7 });
  assert.deepEqual(executed, [["pay", { amount: 7 }]]);
  assert.equal((await edit({ amount: "much" })).error.type, "invalid_arguments");
  assert.equal((await edit({})).error.type, "invalid_arguments");
  assert.equal(executed.length, 1);
});

test("edited arguments are authorised again", async () => {
  const guarded = { ...pay, requiresAuth: true };
  const authorize = (_tool, call) => call.arguments.amount < 10;
  const approve = () => ({ allow: true, arguments: { amount: 20 } });
  const [execution] = await new Toolkit([guarded], { authorize }).run([callOf("pay", { amount: 5 })], { approve });
  assert.equal(execution.error.type, "unauthorized");
});

test("needsApproval may depend on arguments and context", async () => {
  const asked = [];
  const tool = { ...pay, needsApproval: ({ amount }, _call, { limit }) => amount > limit };
  const toolkit = new Toolkit([tool]);
  const approve = (call) => asked.push(call.arguments.amount) > 0;
  const calls = [1, 20].map((amount) => callOf("pay", { amount }));
  assert.deepEqual(types(await toolkit.run(calls, { approve, context: { limit: 10 } })), ["done", "done"]);
  assert.deepEqual(asked, [20]);
  const broken = { ...pay, needsApproval: () => Promise.reject(new Error("no")) };
  assert.deepEqual(types(await new Toolkit([broken]).run([calls[0]], { approve })), ["Error"]);
});

test("without approve, calls stay pending while the others run", async () => {
  const executions = await new Toolkit([pay, read]).run([callOf("pay", { amount: 5 }), callOf("read")]);
  assert.deepEqual(types(executions), ["unapproved", "done"]);
  assert.equal("result" in executions[0], false);
});

test("an abort while a person decides cancels the call", async () => {
  const controller = new AbortController();
  const approve = () => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  const [execution] = await new Toolkit([pay]).run([callOf("pay", { amount: 1 })], {
    approve,
    signal: controller.signal,
  });
  assert.equal(execution.error.type, "cancelled");
});

test("calls beyond the budget fail, without asking for approval", async () => {
  let asked = 0;
  const approve = () => ++asked > 0;
  const search = { name: "search", costPerUse: 0.1, needsApproval: true, execute: () => "found" };
  const calls = [1, 2, 3, 4].map(() => callOf("search"));
  const executions = await new Toolkit([search]).run(calls, { maxCost: 0.3, approve });
  assert.deepEqual(types(executions).sort(), ["budget_exceeded", "done", "done", "done"]);
  assert.equal(asked <= 4, true);
  assert.deepEqual(types(await new Toolkit([search]).run([callOf("search")], { maxCost: 0, approve })), [
    "budget_exceeded",
  ]);
  assert.equal(asked <= 4, true);
});

test("every attempt costs", async () => {
  const flaky = {
    name: "flaky",
    costPerUse: 1,
    maxRetries: 5,
    execute() {
      throw new Error("down");
    },
  };
  const [execution] = await new Toolkit([flaky]).run([callOf("flaky")], { maxCost: 2 });
  assert.deepEqual([execution.cost, execution.attempts, errorOf(execution).error], [2, 2, "down"]);
});

test("repairCall gets one attempt at a call that can't run", async () => {
  const seen = [];
  const repairCall = (call, problems) => {
    seen.push([call.name, problems[0].code]);
    return call.name === "payment" ? { ...call, name: "pay" } : { ...call, arguments: { amount: "still wrong" } };
  };
  const toolkit = new Toolkit([{ ...pay, needsApproval: false }], { repairCall });
  const executions = await toolkit.run([
    callOf("payment", { amount: 3 }),
    callOf("pay", { amount: [] }),
    callOf("pay", { amount: 4 }),
  ]);
  assert.deepEqual(types(executions), ["done", "invalid_arguments", "done"]);
  assert.deepEqual(
    seen.map(([name]) => name),
    ["payment", "pay"],
  );
  assert.equal(executions[0].changes[0].kind, "repaired");
  const checked = await toolkit.check(callOf("payment", { amount: 3 }));
  assert.deepEqual([checked.call.name, checked.problems], ["pay", []]);
  const other = { name: "pay", id: "other", arguments: { amount: 3 } };
  const renaming = new Toolkit([{ ...pay, needsApproval: false }], { repairCall: () => other });
  const [kept] = await renaming.run([{ ...callOf("payment", {}, "mine"), metadata: { gemini: { signature: "s" } } }]);
  assert.deepEqual([kept.status, kept.call.id, kept.result.toolCallId], ["done", "mine", "mine"]);
  assert.deepEqual(kept.call.metadata, { gemini: { signature: "s" } });
  const broken = new Toolkit([pay], { repairCall: () => Promise.reject(new Error("no")) });
  assert.deepEqual(types(await broken.run([callOf("nothing")])), ["unknown_tool"]);
});
