// Signed states, which pass through clients: a decision can be used once, a state expires, and sub-agents are covered by the signature.

import assert from "node:assert/strict";
import { test } from "node:test";
import { response, scripted, user } from "./support/model.mjs";
import { agentTool, resumeAgent, runAgent, Toolkit } from "./support/toolkit.mjs";

const secret = "a secret of the server";
const stored = (value) => JSON.parse(JSON.stringify(value));
const done = response("Done.");
const DAY = 86_400_000;

/** A run with pending payments. `clock.now` is the time of its toolkit. */
async function pending({ calls = ["p"], more = {}, within = false } = {}) {
  const paid = [];
  const clock = { now: Date.now() };
  const pay = { name: "pay", needsApproval: true, execute: (_, { call }) => paid.push(call.id) && "paid" };
  const made = response(
    "",
    calls.map((id) => [id, "pay"]),
  );
  const send = async ({ messages }) => (messages.some(({ role }) => role === "tool") ? done : made);
  const agent = agentTool({ name: "agent", agent: () => ({ request: user("x"), toolkit: new Toolkit([pay]), send }) });
  const toolkit = new Toolkit(within ? [agent] : [pay], { now: () => clock.now });
  const options = { toolkit, secret, ...more };
  const first = within ? response("", [["a", "agent"]]) : made;
  const { state, messages } = stored(
    await runAgent({ request: user("x"), ...options, send: scripted(first, done).send }),
  );
  const resume = (more) =>
    resumeAgent({ request: { messages }, ...options, send: scripted(done).send, state, ...more });
  return { paid, clock, state, messages, options, resume };
}

/** A store of the ids of decisions. */
function claims() {
  const ids = [];
  const claimState = async (id) => !ids.includes(id) && ids.push(id) > 0;
  return { ids, claimState };
}

for (const within of [false, true]) {
  const where = within ? "within a sub-agent" : "of a run";
  const id = within ? "a/p" : "p";

  test(`a decision on a call ${where} takes effect once`, async () => {
    const { ids, claimState } = claims();
    const { paid, resume } = await pending({ within });
    const decisions = { [id]: true };
    assert.equal((await resume({ decisions, claimState })).reason, "answer");
    await assert.rejects(resume({ decisions, claimState }), { code: "invalid_state", path: "/decisions" });
    // another decision on the same call
    await assert.rejects(resume({ decisions: { [id]: false }, claimState }), { code: "invalid_state" });
    assert.deepEqual([paid, ids.length, typeof ids[0]], [["p"], 1, "string"]);
  });

  test(`a state with a call ${where} that a client changed is refused`, async () => {
    const { paid, resume, state } = await pending({ within });
    const text = JSON.stringify(state).replace('"arguments":{}', '"arguments":{"n":1}');
    assert.notEqual(text, JSON.stringify(state));
    const changed = { state: JSON.parse(text), decisions: { [id]: true } };
    await assert.rejects(resume(changed), { code: "invalid_state", path: "/signature" });
    const { signature, expires, ...unsigned } = state;
    await assert.rejects(resume({ ...changed, state: unsigned }), { code: "invalid_state" });
    assert.deepEqual(paid, []);
  });
}

test("an older state of the same run does not bring a used decision back", async () => {
  const { claimState } = claims();
  const { paid, options, messages, state, resume } = await pending({ calls: ["p", "q"] });
  const second = stored(await resume({ decisions: { p: true }, claimState }));
  assert.deepEqual([second.reason, paid], ["unapproved", ["p"]]);
  await assert.rejects(resume({ decisions: { p: true, q: true }, claimState }), { code: "invalid_state" });
  assert.deepEqual(paid, ["p"]);
  const rest = { request: { messages: second.messages }, ...options, send: scripted(done).send, claimState };
  assert.equal((await resumeAgent({ ...rest, state: second.state, decisions: { q: true } })).reason, "answer");
  const replay = { ...rest, request: { messages }, state, decisions: { q: true } };
  await assert.rejects(resumeAgent(replay), { code: "invalid_state" });
  assert.deepEqual(paid, ["p", "q"]);
});

test("a call that started before a crash can be decided again", async () => {
  const { claimState } = claims();
  const states = [];
  const pay = { name: "pay", needsApproval: true, idempotent: false, execute: () => "paid" };
  const options = { toolkit: new Toolkit([pay]), secret, claimState };
  const first = await runAgent({
    request: user("x"),
    ...options,
    send: scripted(response("", [["p", "pay"]])).send,
  });
  const run = { ...options, request: { messages: first.messages }, decisions: { p: true }, send: scripted(done).send };
  const onState = (state, messages) => void states.push(stored({ state, messages }));
  await resumeAgent({ ...run, state: first.state, onState });
  const { state, messages } = states.find(({ state }) => state.calls[0]?.status === "started");
  const again = await resumeAgent({ ...run, request: { messages }, state, send: scripted(done).send });
  assert.equal(again.reason, "answer");
  const twice = { ...run, request: { messages }, state, send: scripted(done).send };
  await assert.rejects(resumeAgent(twice), { code: "invalid_state" });
});

test("a state without a decision is not claimed", async () => {
  const { ids, claimState } = claims();
  const { resume } = await pending();
  assert.equal((await resume({ claimState })).reason, "unapproved");
  assert.equal((await resume({ claimState, decisions: { other: true } })).reason, "unapproved");
  assert.deepEqual(ids, []);
});

for (const [name, more, ttl] of [
  ["after a day", {}, DAY],
  ["after stateTtlMs", { stateTtlMs: 1000 }, 1000],
]) {
  test(`a signed state expires ${name}`, async () => {
    const { paid, clock, resume, state } = await pending({ more });
    clock.now += ttl - 100;
    await assert.rejects(resume({ state: { ...state, expires: state.expires + DAY } }), { path: "/signature" });
    clock.now += 200;
    const expired = { code: "invalid_state", path: "/expires", message: /expired.*stateTtlMs/ };
    await assert.rejects(resume({ decisions: { p: true } }), expired);
    assert.deepEqual(paid, []);
    clock.now -= DAY;
  });
}

test("states without a secret do not expire, and an empty secret is a mistake", async () => {
  const { clock, resume, state } = await pending({ more: { secret: undefined } });
  clock.now += 2 * DAY;
  assert.deepEqual([state.expires, state.signature], [undefined, undefined]);
  assert.equal((await resume({ decisions: { p: true } })).reason, "answer");
  await assert.rejects(pending({ more: { secret: "" } }), { code: "invalid_options", path: "/secret" });
});
