// Sub-agents run inside the state of the calling run: approvals suspend it, budgets are shared, and a crash repeats nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, response, resultsIn, scripted, user } from "./support/model.mjs";
import { agentTool, resumeAgent, runAgent, streamAgent, Toolkit } from "./support/toolkit.mjs";

const stored = (value) => JSON.parse(JSON.stringify(value));
const done = response("Done.");
const amount = { type: "object", properties: { amount: { type: "integer" } } };

/** A bank behind one or two levels of sub-agents. Each agent pays once and then responds. */
function bank({ depth = 1, policy = { needsApproval: true }, inner = {} } = {}) {
  const paid = [];
  const keys = [];
  const pay = {
    name: "pay",
    parameters: amount,
    ...policy,
    execute: ({ amount }, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      paid.push(amount);
      return "paid";
    },
  };
  let tool = pay;
  let call = ["c1", "pay", { amount: 10 }];
  for (let level = 0; level < depth; level++) {
    const [within, made] = [tool, call];
    const send = async ({ messages }) =>
      messages.some(({ role }) => role === "tool") ? response(`Level ${level} is done.`) : response("", [made]);
    const options = { request: user("pay"), toolkit: new Toolkit([within]), send, ...inner };
    tool = agentTool({ name: `agent${level}`, agent: () => options });
    call = ["c1", tool.name, {}];
  }
  return { paid, keys, toolkit: new Toolkit([tool]), call };
}

const outer = (call) => scripted(response("", [call]), done);

for (const depth of [1, 2]) {
  test(`an approval within ${depth} sub-agents suspends the calling run`, async () => {
    const { paid, keys, call, ...run } = bank({ depth });
    const first = stored(await runAgent({ request: user("x"), ...run, send: outer(call).send }));
    assert.deepEqual([first.reason, paid, first.state.version], ["unapproved", [], 2]);
    const id = `${"c1/".repeat(depth)}c1`;
    assert.deepEqual(first.pending, [{ id, name: "pay", arguments: { amount: 10 } }]);
    assert.equal(first.usage.total, 15 * (depth + 1), "with the usage of the sub-agents so far");
    const rest = { request: { messages: first.messages }, state: first.state, ...run };
    const waiting = stored(await resumeAgent({ ...rest, send: scripted(done).send }));
    assert.deepEqual([waiting.reason, waiting.pending, paid], ["unapproved", first.pending, []]);
    const { send, requests } = scripted(done);
    const decisions = { [id]: true };
    const last = await resumeAgent({ ...rest, state: waiting.state, send, decisions });
    assert.deepEqual([last.reason, paid], ["answer", [10]]);
    assert.deepEqual(resultsIn(requests[0].messages), { c1: `Level ${depth - 1} is done.` });
    assert.ok(isComplete(last.messages));
    assert.equal(last.usage.total, 15 * 2 * (depth + 1), "each request counts once");
    assert.ok(keys[0].startsWith(`${first.runId}:`), "keys are derived from the calling run");
    assert.equal(last.state, undefined);
  });
}

test("decisions within a sub-agent: denied, edited, and a message of the user instead", async () => {
  const { paid, keys: _, call, ...run } = bank();
  const first = stored(await runAgent({ request: user("x"), ...run, send: outer(call).send }));
  const rest = { request: { messages: first.messages }, state: first.state, ...run };
  const decide = (decision) => resumeAgent({ ...rest, send: scripted(done).send, decisions: { "c1/c1": decision } });
  assert.equal((await decide({ allow: false, reason: "no" })).reason, "answer");
  assert.deepEqual(paid, []);
  await decide({ allow: true, arguments: { amount: 3 } });
  assert.deepEqual(paid, [3]);
  const messages = [...first.messages, { role: "user", content: "Never mind." }];
  const ignored = await resumeAgent({ ...rest, request: { messages }, send: scripted(done).send });
  assert.equal(ignored.reason, "answer");
  assert.equal(resultsIn(ignored.messages).c1.error_type, "denied");
  assert.deepEqual(paid, [3]);
});

test("a sub-agent whose own call needs approval is approved once", async () => {
  const { paid, ...inner } = bank();
  const agent = { ...inner.toolkit.get("agent0"), needsApproval: true };
  const run = { toolkit: new Toolkit([agent]) };
  const first = stored(await runAgent({ request: user("x"), ...run, send: outer(inner.call).send }));
  assert.deepEqual(first.pending[0].name, "agent0");
  const rest = (outcome) => ({ request: { messages: outcome.messages }, state: outcome.state, ...run });
  const second = stored(await resumeAgent({ ...rest(first), send: scripted().send, decisions: { c1: true } }));
  assert.deepEqual(second.pending, [{ id: "c1/c1", name: "pay", arguments: { amount: 10 } }]);
  const third = await resumeAgent({ ...rest(second), send: scripted(done).send, decisions: { "c1/c1": true } });
  assert.deepEqual([third.reason, paid], ["answer", [10]]);
});

test("an external call within a sub-agent gets its result through the calling run", async () => {
  const { paid: _, keys: __, call, ...run } = bank();
  const browser = { name: "pay", parameters: amount };
  const seen = [];
  const send = async ({ messages }) => {
    const result = messages.find(({ role }) => role === "tool");
    if (result) seen.push(result.value);
    return result ? done : response("", [["x", "pay", { amount: 1 }]]);
  };
  const agent = agentTool({
    name: "agent0",
    agent: () => ({ request: user("x"), toolkit: new Toolkit([browser]), send }),
  });
  run.toolkit = new Toolkit([agent]);
  const first = stored(await runAgent({ request: user("x"), ...run, send: outer(call).send }));
  assert.deepEqual([first.reason, first.pending.map(({ id }) => id)], ["external", ["c1/x"]]);
  const results = [{ toolCallId: "c1/x", name: "pay", kind: "text", value: "here" }];
  const rest = { request: { messages: first.messages }, state: first.state, ...run };
  const last = await resumeAgent({ ...rest, send: scripted(done).send, results });
  assert.deepEqual([last.reason, seen], ["answer", ["here"]]);
});

test("approve of the calling run decides, and waiting for it is not active time", async () => {
  const { paid, keys: _, call, ...run } = bank();
  const asked = [];
  const approve = async ({ id }) => {
    asked.push(id);
    await new Promise((resolve) => setTimeout(resolve, 120));
    return true;
  };
  const stream = streamAgent({ request: user("x"), ...run, send: outer(call).send, approve, timeoutMs: 100 });
  const events = [];
  for await (const { type, call } of stream) if (type === "approval") events.push(call.id);
  assert.deepEqual([(await stream.outcome).reason, paid, asked, events], ["answer", [10], ["c1/c1"], ["c1/c1"]]);
});

test("parallel sub-agents share the budget of the calling run", async () => {
  const { paid, keys: _, call, ...run } = bank({ policy: { costPerUse: 2 } });
  const calls = ["x", "y", "z"].map((id) => [id, call[1], { id }]);
  const model = scripted(response("", calls), done);
  const outcome = await runAgent({ request: user("x"), ...run, send: model.send, maxCost: 5 });
  assert.deepEqual([paid.length, outcome.cost], [2, 4]);
});

test("a sub-agent stays within maxUsage of the calling run", async () => {
  let count = 0;
  const send = async () => response("", [[`c${++count}`, "look", { count }]]);
  const look = { name: "look", execute: () => "ok" };
  const agent = agentTool({
    name: "ask",
    agent: () => ({ request: user("x"), toolkit: new Toolkit([look]), send, maxIterations: 50 }),
  });
  const run = { request: user("x"), toolkit: new Toolkit([agent]), maxUsage: { total: 60 } };
  const outcome = await runAgent({ ...run, send: scripted(response("", [["a", "ask"]])).send });
  assert.deepEqual([outcome.reason, count], ["budget", 4]);
  assert.match(resultsIn(outcome.messages).a.error, /maxUsage/);
});

test("a sub-agent outside of an agent run has no state, so approvals are denied", async () => {
  const { paid, toolkit } = bank();
  const [execution] = await toolkit.run([{ id: "c1", name: "agent0", arguments: {} }]);
  assert.deepEqual([execution.status, execution.output, paid], ["done", "Level 0 is done.", []]);
});

test("a sub-agent is not started early", async () => {
  const { paid: _, keys: __, call, ...run } = bank({ policy: {} });
  const order = [];
  const send = async function* ({ messages }) {
    if (messages.at(-1).role === "tool") return done;
    yield { type: "toolCallEnd", block: 0, call: { id: "c1", name: call[1], arguments: {} } };
    yield { type: "textDelta", block: 1, text: "x" };
    order.push("complete");
    return response("x", [call]);
  };
  const stream = streamAgent({ request: user("x"), ...run, send, eager: true });
  for await (const { type } of stream) if (type === "toolStart") order.push(type);
  assert.deepEqual(order, ["complete", "toolStart"]);
});
