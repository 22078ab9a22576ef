// Approval, waiting and crashes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, response, resultsIn, scripted, user } from "./support/model.mjs";
import { resumeAgent, runAgent, Toolkit } from "./support/toolkit.mjs";

const amount = { type: "object", properties: { amount: { type: "integer", maximum: 50 } }, required: ["amount"] };

/** A toolkit with a dangerous tool that records what it paid. */
function bank(more = {}) {
  const paid = [];
  const pay = {
    name: "pay",
    parameters: amount,
    dangerous: true,
    execute: ({ amount }) => paid.push(amount) && "paid",
    ...more,
  };
  const look = { name: "look", execute: () => "nothing to see" };
  return { paid, toolkit: new Toolkit([pay, look]), filter: { excludeDangerous: false } };
}

const asks = (amount = 10) =>
  response("", [
    ["p", "pay", { amount }],
    ["l", "look"],
  ]);
const done = response("Done.");
const stored = (value) => JSON.parse(JSON.stringify(value));

/** A run that ends with the payment pending. */
async function pending(options = {}) {
  const { paid, ...account } = bank(options.tool);
  const outcome = await runAgent({
    request: user("pay"),
    ...account,
    send: scripted(asks(options.amount)).send,
    ...options.run,
  });
  assert.equal(outcome.reason, "unapproved");
  return { paid, ...account, outcome: stored(outcome) };
}

test("approve decides in process, with the arguments as they would run", async () => {
  const { paid, ...account } = bank();
  const seen = [];
  const approve = (call) => {
    seen.push(call.arguments.amount);
    return true;
  };
  const outcome = await runAgent({ request: user("pay"), ...account, send: scripted(asks(100), done).send, approve });
  assert.deepEqual([outcome.reason, seen, paid], ["answer", [50], [50]]);
});

test("waiting for a person is not active time", async () => {
  const { paid, ...account } = bank();
  const approve = () => new Promise((resolve) => setTimeout(() => resolve(true), 120));
  const outcome = await runAgent({
    request: user("pay"),
    ...account,
    send: scripted(asks(), done).send,
    approve,
    timeoutMs: 100,
  });
  assert.deepEqual([outcome.reason, paid], ["answer", [10]]);
});

test("a pending call runs once from the state, its sibling keeps its result", async () => {
  const { paid, outcome, ...account } = await pending();
  assert.deepEqual(outcome.pending, [{ id: "p", name: "pay", arguments: { amount: 10 } }]);
  const { send, requests } = scripted(done);
  const request = { messages: outcome.messages };
  const resumed = await resumeAgent({ request, ...account, send, state: outcome.state, decisions: { p: true } });
  assert.deepEqual([resumed.reason, paid], ["answer", [10]]);
  assert.deepEqual(resultsIn(requests[0].messages), { p: "paid", l: "nothing to see" });
  assert.ok(isComplete(requests[0].messages));
  // the decision is given twice
  const twice = await resumeAgent({
    request: { messages: resumed.messages },
    ...account,
    send: scripted(done).send,
    state: outcome.state,
    decisions: { p: true },
  });
  assert.deepEqual([twice.reason, paid], ["answer", [10]]);
});

test("a denial reaches the model with its reason", async () => {
  const { paid, outcome, ...account } = await pending();
  const decisions = { p: { allow: false, reason: "too much" } };
  const resumed = await resumeAgent({
    request: { messages: outcome.messages },
    ...account,
    send: scripted(done).send,
    state: outcome.state,
    decisions,
  });
  assert.deepEqual(paid, []);
  assert.deepEqual(resultsIn(resumed.messages).p, { error: "The call was denied: too much", error_type: "denied" });
});

test("edited arguments run, and go into the history", async () => {
  const { paid, outcome, ...account } = await pending();
  const decisions = { p: { allow: true, arguments: { amount: 3 } } };
  const { send, requests } = scripted(done);
  await resumeAgent({ request: { messages: outcome.messages }, ...account, send, state: outcome.state, decisions });
  assert.deepEqual(paid, [3]);
  assert.deepEqual(requests[0].messages[1].toolCalls[0].arguments, { amount: 3 });
});

test("a user message instead of a decision is a denial", async () => {
  const { paid, outcome, ...account } = await pending();
  const messages = [...outcome.messages, { role: "user", content: "Never mind." }];
  const { send, requests } = scripted(done);
  const resumed = await resumeAgent({ request: { messages }, ...account, send, state: outcome.state });
  assert.deepEqual([resumed.reason, paid], ["answer", []]);
  assert.equal(resultsIn(requests[0].messages).p.error_type, "denied");
  assert.equal(requests[0].messages.at(-1).content, "Never mind.");
  assert.ok(isComplete(requests[0].messages));
});

test("without a decision, the call stays pending", async () => {
  const { paid, outcome, ...account } = await pending();
  const resumed = await resumeAgent({
    request: { messages: outcome.messages },
    ...account,
    send: scripted().send,
    state: outcome.state,
  });
  assert.deepEqual([resumed.reason, paid], ["unapproved", []]);
});

test("a decision applies to the exact arguments of the state", async () => {
  const { paid, outcome, ...account } = await pending();
  const changed = stored(outcome.state);
  changed.calls[0].call.arguments.amount = 49;
  const options = {
    request: { messages: outcome.messages },
    ...account,
    send: scripted(done).send,
    decisions: { p: true },
  };
  await assert.rejects(resumeAgent({ ...options, state: changed }), {
    code: "invalid_state",
    path: "/calls/0/call/arguments",
  });
  // the content of the caller's messages does not matter
  const messages = stored(outcome.messages);
  messages[1].toolCalls[0].arguments.amount = 49;
  await resumeAgent({ ...options, request: { messages }, state: outcome.state });
  assert.deepEqual(paid, [10]);
});

test("policy is evaluated again", async () => {
  const { outcome } = await pending();
  const { paid, ...strict } = bank();
  const options = {
    request: { messages: outcome.messages },
    ...strict,
    filter: {},
    send: scripted(done).send,
    state: outcome.state,
  };
  const resumed = await resumeAgent({ ...options, decisions: { p: true } });
  assert.deepEqual(paid, []);
  assert.equal(resultsIn(resumed.messages).p.error_type, "not_allowed");
});

test("signed states can't be modified", async () => {
  const secret = "a secret";
  const { paid, outcome, ...account } = await pending({ run: { secret } });
  const options = {
    request: { messages: outcome.messages },
    ...account,
    send: scripted(done).send,
    decisions: { p: true },
  };
  const changed = { ...outcome.state, cost: 0, iterations: 0 };
  await assert.rejects(resumeAgent({ ...options, state: changed, secret }), {
    code: "invalid_state",
    path: "/signature",
  });
  await assert.rejects(resumeAgent({ ...options, state: outcome.state, secret: "another" }), { code: "invalid_state" });
  await assert.rejects(resumeAgent({ ...options, state: outcome.state }), { code: "invalid_state" });
  await resumeAgent({ ...options, state: outcome.state, secret });
  assert.deepEqual(paid, [10]);
});

test("results of external calls", async () => {
  const toolkit = new Toolkit([{ name: "ask_user" }, { name: "look", execute: () => "seen" }]);
  const first = await runAgent({
    request: user("x"),
    toolkit,
    send: scripted(
      response("", [
        ["q", "ask_user"],
        ["l", "look"],
      ]),
    ).send,
  });
  assert.deepEqual([first.reason, first.pending.length], ["external", 1]);
  const results = [{ toolCallId: "q", name: "ask_user", kind: "text", value: "blue" }];
  const { send, requests } = scripted(done);
  const resumed = await resumeAgent({
    request: { messages: first.messages },
    toolkit,
    send,
    state: stored(first.state),
    results,
  });
  assert.equal(resumed.reason, "answer");
  assert.deepEqual(resultsIn(requests[0].messages), { q: "blue", l: "seen" });
});

/** The last state before a crash in the middle of a call, and how often its tool ran. */
async function crashed(tool) {
  let stateAtStart;
  let ran = 0;
  const effect = {
    name: "effect",
    ...tool,
    execute: (_, { idempotencyKey }) => {
      ran++;
      keys.push(idempotencyKey);
      return "done";
    },
  };
  const keys = [];
  const toolkit = new Toolkit([effect]);
  const saved = [];
  const onState = (state, messages) => {
    saved.push(stored({ state, messages }));
    if (state.calls.some(({ status }) => status === "started")) stateAtStart ??= saved.at(-1);
  };
  await runAgent({ request: user("x"), toolkit, send: scripted(response("", [["e", "effect"]]), done).send, onState });
  return { toolkit, ...stateAtStart, keys, count: () => ran };
}

test("after a crash, an idempotent call runs again with the same key", async () => {
  const { toolkit, state, messages, keys, count } = await crashed({});
  const resumed = await resumeAgent({ request: { messages }, toolkit, send: scripted(done).send, state });
  assert.deepEqual([resumed.reason, count()], ["answer", 2]);
  assert.equal(keys[0], keys[1]);
});

test("after a crash, a call that is not idempotent needs approval", async () => {
  const { toolkit, state, messages, count } = await crashed({ idempotent: false });
  const request = { messages };
  const waiting = await resumeAgent({ request, toolkit, send: scripted(done).send, state });
  assert.deepEqual([waiting.reason, count()], ["unapproved", 1]);
  const resumed = await resumeAgent({
    request,
    toolkit,
    send: scripted(done).send,
    state: stored(waiting.state),
    decisions: { e: false },
  });
  assert.deepEqual([resumed.reason, count()], ["answer", 1]);
});

test("the state is stored before each request, and before and after each call", async () => {
  const seen = [];
  const toolkit = new Toolkit([{ name: "look", execute: () => seen.push("run") }]);
  const onState = async ({ phase, calls }, messages) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    seen.push(`${phase.type} ${calls.map(({ status }) => status).join()} ${messages.length}`.replace("  ", " "));
  };
  await runAgent({ request: user("x"), toolkit, send: scripted(response("", [["a", "look"]]), done).send, onState });
  assert.deepEqual(seen, ["sent 1", "calling started 2", "run", "calling ended 3", "sent 3", "ended 4"]);
});

test("an error of onState rejects the run", async () => {
  const toolkit = new Toolkit([]);
  const onState = () => Promise.reject(new Error("disk full"));
  await assert.rejects(runAgent({ request: user("x"), toolkit, send: scripted(done).send, onState }), /disk full/);
});

test("a run that ended at a bound goes on if the bound is raised", async () => {
  const { toolkit } = bank();
  const options = { request: user("x"), toolkit, maxIterations: 1 };
  const first = await runAgent({ ...options, send: scripted(response("", [["l", "look"]])).send });
  assert.equal(first.reason, "max_iterations");
  const request = { messages: first.messages };
  const same = await resumeAgent({ ...options, request, state: first.state, send: scripted().send });
  assert.equal(same.reason, "max_iterations");
  const more = await resumeAgent({
    ...options,
    request,
    state: first.state,
    send: scripted(done).send,
    maxIterations: 2,
  });
  assert.equal(more.reason, "answer");
});

test("states of version 1 stay readable", async () => {
  const { readFileSync } = await import("node:fs");
  const fixture = JSON.parse(readFileSync(new URL("fixtures/state-v1.json", import.meta.url), "utf8"));
  const { paid, ...account } = bank();
  const { state, messages } = fixture;
  const resumed = await resumeAgent({
    request: { messages },
    ...account,
    send: scripted(done).send,
    state,
    decisions: { p: true },
  });
  assert.deepEqual([resumed.reason, paid], ["answer", [10]]);
});
