// The agent loop: its six basic cases, its limits, and known mistakes of other loops.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, response, resultsIn, scripted, streamed, user } from "./support/model.mjs";
import { agentTool, runAgent, streamAgent, Toolkit } from "./support/toolkit.mjs";

const number = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const double = { name: "double", description: "Doubles n.", parameters: number, execute: ({ n }) => n * 2 };
const fail = {
  name: "fail",
  description: "Fails.",
  execute: () => {
    throw new TypeError("out of order");
  },
};
const hang = { name: "hang", description: "Never ends.", execute: () => new Promise(() => {}) };
const kit = (...tools) => new Toolkit(tools.length > 0 ? tools : [double, fail, hang]);
const done = response("Done.");

test("a single call", async () => {
  const { send, requests } = scripted(response("", [["a", "double", { n: 4 }]]), response("8"));
  const outcome = await runAgent({ request: user("double 4"), toolkit: kit(), send });
  assert.equal(outcome.reason, "answer");
  assert.equal(outcome.text, "8");
  assert.equal(outcome.iterations, 2);
  assert.deepEqual(outcome.usage, { input: 20, output: 10, total: 30 });
  assert.deepEqual(resultsIn(outcome.messages), { a: 8 });
  assert.deepEqual(
    requests[1].messages.map(({ role }) => role),
    ["user", "assistant", "tool"],
  );
  assert.deepEqual(
    requests[0].tools.map(({ name }) => name),
    ["double", "fail", "hang"],
  );
});

test("several iterations", async () => {
  const { send } = scripted(response("", [["a", "double", { n: 1 }]]), response("", [["b", "double", { n: 2 }]]), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.iterations, 3);
  assert.deepEqual(resultsIn(outcome.messages), { a: 2, b: 4 });
  assert.ok(isComplete(outcome.messages));
});

test("parallel calls", async () => {
  const order = [];
  const slow = {
    name: "slow",
    parameters: number,
    execute: async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, 20 - n * 5));
      order.push(n);
      return n;
    },
  };
  const calls = [1, 2, 3].map((n) => [`c${n}`, "slow", { n }]);
  const { send, requests } = scripted(response("", calls), done);
  await runAgent({ request: user("x"), toolkit: kit(slow), send });
  assert.deepEqual(order, [3, 2, 1]);
  assert.deepEqual(
    requests[1].messages.slice(2).map(({ toolCallId }) => toolCallId),
    ["c1", "c2", "c3"],
  );
});

test("a failing tool", async () => {
  const { send } = scripted(response("", [["a", "fail"]]), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.reason, "answer");
  assert.deepEqual(resultsIn(outcome.messages), { a: { error: "out of order", error_type: "TypeError" } });
});

test("the iteration limit", async () => {
  const responses = [1, 2, 3, 4, 5].map((n) => response("", [[`c${n}`, "double", { n }]]));
  const { send, requests } = scripted(...responses);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.reason, "max_iterations");
  assert.equal(requests.length, 5);
  assert.deepEqual(resultsIn(outcome.messages), { c1: 2, c2: 4, c3: 6, c4: 8, c5: 10 });
});

test("the timeout", async () => {
  const { send } = scripted(response("", [["a", "hang"]]), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send, timeoutMs: 30 });
  assert.equal(outcome.reason, "timeout");
  assert.equal(outcome.executions[0].error.type, "timeout");
  assert.ok(isComplete(outcome.messages));
});

test("a model that hangs is bounded by the time limit, even if it ignores its signal", async () => {
  const outcome = await runAgent({
    request: user("x"),
    toolkit: kit(),
    send: () => new Promise(() => {}),
    timeoutMs: 20,
  });
  assert.equal(outcome.reason, "timeout");
});

test("at the limit, one more request without calls", async () => {
  const { send, requests } = scripted(response("", [["a", "double", { n: 1 }]]), response("2 it is."));
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send, maxIterations: 1, atLimit: "answer" });
  assert.equal(outcome.reason, "max_iterations");
  assert.equal(outcome.text, "2 it is.");
  assert.equal(requests[1].toolChoice, "none");
});

test("a call in spite of toolChoice none gets an error result", async () => {
  const { send } = scripted(response("", [["a", "double", { n: 1 }]]), response("", [["b", "double", { n: 1 }]]));
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send, maxIterations: 1, atLimit: "answer" });
  assert.equal(outcome.reason, "max_iterations");
  assert.equal(resultsIn(outcome.messages).b.error_type, "not_allowed");
});

test("repetition is reported to the model, then ends the run", async () => {
  const again = () => response("", [["c", "double", { n: 1 }]]);
  const { send, requests } = scripted(again(), again(), again());
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.reason, "repeating");
  assert.equal(requests.length, 3);
  const note = requests[2].messages.at(-1);
  assert.equal(note.role, "user");
  assert.match(note.content, /double had the same arguments and the same result/);
});

test("calls that can't run are repaired while valid siblings run", async () => {
  const broken = [
    ["a", "double", { n: 1 }],
    ["b", "double", '{"n": oops'],
    ["c", "double", { n: "many" }],
    ["d", "triple", { n: 1 }],
  ];
  const { send, requests } = scripted(response("", broken), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.reason, "answer");
  const results = resultsIn(requests[1].messages);
  assert.equal(results.a, 2);
  assert.deepEqual([results.c.error_type, results.d.error_type], ["invalid_arguments", "unknown_tool"]);
  assert.match(results.d.error, /double/);
  assert.match(results.c.error, /invalid_n/);
  // the model receives its own invalid text
  const assistant = requests[1].messages[1];
  assert.equal(assistant.invalidToolCalls[0].rawArguments, '{"n": oops');
  assert.ok(isComplete(requests[1].messages));
});

test("repairs are bounded", async () => {
  const bad = (id) => response("", [[id, "triple", { id }]]);
  const { send } = scripted(bad("a"), bad("b"), bad("c"));
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.reason, "repairs_exhausted");
});

test("calls of a response that was cut off do not run", async () => {
  let ran = 0;
  const counting = { name: "count", execute: () => ++ran };
  const cut = response("", [["a", "count"]], { finishReason: "length" });
  const { send } = scripted(cut, done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(counting), send });
  assert.equal(ran, 0);
  assert.equal(resultsIn(outcome.messages).a.error_type, "truncated");
});

test("length, refusal and content_filter end the run with their reason", async () => {
  for (const finishReason of ["length", "refusal", "content_filter"]) {
    const { send } = scripted(response("Half", [], { finishReason }));
    assert.equal((await runAgent({ request: user("x"), toolkit: kit(), send })).reason, finishReason);
  }
});

test("a pause costs an iteration and goes on", async () => {
  const { send } = scripted(response("Still", [], { finishReason: "pause" }), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.deepEqual([outcome.reason, outcome.iterations], ["answer", 2]);
});

test("an error of the model without calls is a repair", async () => {
  const { send, requests } = scripted(response("", [], { finishReason: "error" }), done);
  assert.equal((await runAgent({ request: user("x"), toolkit: kit(), send })).reason, "answer");
  assert.match(requests[1].messages.at(-1).content, /could not be processed/);
});

test("usage and cost bound the run", async () => {
  const call = response("", [["a", "double", { n: 1 }]]);
  const byUsage = await runAgent({
    request: user("x"),
    toolkit: kit(),
    send: scripted(call).send,
    maxUsage: { total: 10 },
  });
  assert.equal(byUsage.reason, "budget");
  assert.equal(resultsIn(byUsage.messages).a.error_type, "budget_exceeded");
  const dear = { ...double, costPerUse: 3 };
  const byCost = await runAgent({
    request: user("x"),
    toolkit: kit(dear),
    send: scripted(call, done).send,
    maxCost: 2,
  });
  assert.equal(resultsIn(byCost.messages).a.error_type, "budget_exceeded");
  assert.equal(byCost.cost, 0);
});

test("a forced choice falls back to auto after its call", async () => {
  const { send, requests } = scripted(response("", [["a", "double", { n: 1 }]]), done);
  const request = { ...user("x"), toolChoice: { name: "double" } };
  await runAgent({ request, toolkit: kit(), send });
  assert.deepEqual(
    requests.map(({ toolChoice }) => toolChoice),
    [{ name: "double" }, "auto"],
  );
});

test("other forced choices fall back too, and choices that are not forced stay", async () => {
  const choices = [
    ["required", "auto"],
    ["none", "none"],
    [
      { allowed: ["double"], mode: "required" },
      { allowed: ["double"], mode: "auto" },
    ],
    [
      { allowed: ["double"], mode: "auto" },
      { allowed: ["double"], mode: "auto" },
    ],
  ];
  for (const [toolChoice, next] of choices) {
    const { send, requests } = scripted(response("", [["a", "double", { n: 1 }]]), done);
    await runAgent({ request: { ...user("x"), toolChoice }, toolkit: kit(), send });
    assert.deepEqual([requests[0].toolChoice, requests[1].toolChoice], [toolChoice, next]);
  }
  // only after it has led to a call
  const { send, requests } = scripted(response("Hm.", [], { finishReason: "pause" }), done);
  await runAgent({ request: { ...user("x"), toolChoice: "required" }, toolkit: kit(), send });
  assert.equal(requests[1].toolChoice, "required");
});

test("a correction states what to change, without the values and without names of classes", async () => {
  const parameters = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city", "days"],
    additionalProperties: false,
  };
  const forecast = { name: "get_forecast", parameters, execute: () => "sunny" };
  const calls = [
    ["missing", "get_forecast", { days: 3 }],
    ["wrong", "get_forecast", { city: "Paris", days: { secret: "hunter2" } }],
    ["unknown", "get_forcast", { city: "Paris", days: 3 }],
    ["text", "get_forecast", "city is Paris"],
  ];
  const { send, requests } = scripted(response("", calls), done);
  await runAgent({ request: user("x"), toolkit: kit(forecast), send });
  const { missing, wrong, unknown, text } = resultsIn(requests[1].messages);
  assert.match(missing.error, /city/);
  assert.match(wrong.error, /days.*integer/);
  assert.match(unknown.error, /get_forecast/);
  assert.deepEqual([unknown.error_type, text.error_type], ["unknown_tool", "invalid_arguments"]);
  // the schema only if the arguments are not JSON
  assert.match(text.error, /"additionalProperties":false/);
  for (const { error } of [missing, wrong, unknown]) {
    assert.doesNotMatch(error, /additionalProperties|hunter2|Error\b|Exception/);
  }
});

test("a tool that prepare left out of the request does not run", async () => {
  let ran = 0;
  const hidden = { name: "hidden", execute: () => ++ran };
  const calls = () =>
    response("", [
      ["h", "hidden"],
      ["d", "double", { n: 1 }],
    ]);
  const prepare = ({ request }) => ({ tools: request.tools.filter(({ name }) => name !== "hidden") });
  const { send } = scripted(calls(), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(double, hidden), send, prepare });
  assert.deepEqual([ran, resultsIn(outcome.messages).d], [0, 2]);
  assert.equal(resultsIn(outcome.messages).h.error_type, "not_allowed");
  // also if an earlier request had it
  const once = ({ request, iteration }) => (iteration === 1 ? undefined : prepare({ request }));
  const { send: twice } = scripted(response("", [["h", "hidden"]]), calls(), done);
  const again = await runAgent({ request: user("x"), toolkit: kit(double, hidden), send: twice, prepare: once });
  assert.equal(ran, 1);
  assert.equal(again.executions[1].error.type, "not_allowed");
});

test("a tool that is registered during a run can be called in the next turn", async () => {
  const toolkit = kit();
  const more = { name: "learn", execute: () => void toolkit.register({ name: "learned", execute: () => "yes" }) };
  toolkit.register(more);
  const { send, requests } = scripted(response("", [["a", "learn"]]), response("", [["b", "learned"]]), done);
  const outcome = await runAgent({ request: user("x"), toolkit, send });
  assert.equal(resultsIn(outcome.messages).b, "yes");
  assert.deepEqual(
    [requests[0].tools.length + 1, requests[1].tools.at(-1).name],
    [requests[1].tools.length, "learned"],
  );
});

test("calls with one id keep their own arguments", async () => {
  const twice = [
    ["same", "double", { n: 1 }],
    ["same", "double", { n: 5 }],
  ];
  const { send, requests } = scripted(response("", twice), done);
  await runAgent({ request: user("x"), toolkit: kit(), send });
  const [first, second] = requests[1].messages[1].toolCalls;
  assert.deepEqual([first.arguments.n, second.arguments.n], [1, 5]);
  assert.notEqual(first.id, second.id);
  const results = resultsIn(requests[1].messages);
  assert.deepEqual([results[first.id], results[second.id]], [2, 10]);
});

test("an error of send is an outcome, with the fields of a ChatError", async () => {
  const send = async () => {
    throw Object.assign(new Error("no quota"), { code: "insufficient_quota", status: 429, retryable: false });
  };
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send });
  assert.equal(outcome.reason, "error");
  const { cause, ...error } = outcome.error;
  assert.deepEqual(error, { code: "insufficient_quota", message: "no quota", status: 429, retryable: false });
});

test("cancelling gives every call a result", async () => {
  const controller = new AbortController();
  const { send } = scripted(
    response("", [
      ["a", "hang"],
      ["b", "double", { n: 1 }],
    ]),
    done,
  );
  setTimeout(() => controller.abort(), 15);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send, signal: controller.signal });
  assert.equal(outcome.reason, "cancelled");
  assert.equal(resultsIn(outcome.messages).a.error_type, "cancelled");
  assert.equal(resultsIn(outcome.messages).b, 2);
});

test("events arrive in order, and leaving the loop cancels the run", async () => {
  const { send } = streamed(response("Hm.", [["a", "double", { n: 1 }]]), done);
  const types = [];
  const stream = streamAgent({ request: user("x"), toolkit: kit(), send });
  for await (const event of stream) types.push(event.type === "model" ? event.event.type : event.type);
  assert.deepEqual(types, [
    ...["request", "start", "textDelta", "toolCallStart", "toolCallDelta", "toolCallEnd", "finish", "response"],
    ...["toolStart", "toolEnd", "request", "start", "textDelta", "finish", "response", "end"],
  ]);

  let aborted = false;
  const waits = {
    name: "waits",
    execute: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = true))),
  };
  const left = streamAgent({
    request: user("x"),
    toolkit: kit(waits),
    send: scripted(response("", [["a", "waits"]])).send,
  });
  for await (const event of left) if (event.type === "toolStart") break;
  assert.equal((await left.outcome).reason, "cancelled");
  assert.ok(aborted);
});

test("eager starts a tool before the response is complete", async () => {
  const started = [];
  const early = { ...double, execute: ({ n }) => started.push(n) };
  const careful = { ...double, name: "careful", dangerous: true, execute: ({ n }) => started.push(n) };
  const { send } = streamed(
    response("", [
      ["a", "double", { n: 1 }],
      ["b", "careful", { n: 2 }],
    ]),
    done,
  );
  const stream = streamAgent({
    request: user("x"),
    toolkit: kit(early, careful),
    send,
    eager: true,
    filter: { excludeDangerous: false },
    approve: () => true,
  });
  const seen = [];
  for await (const event of stream) if (["response", "toolStart"].includes(event.type)) seen.push(event.type);
  assert.deepEqual(seen.slice(0, 3), ["toolStart", "response", "toolStart"]);
  assert.deepEqual(started, [1, 2]);
});

test("steering adds a message before the next request", async () => {
  const { send, requests } = scripted(response("", [["a", "double", { n: 1 }]]), done);
  const stream = streamAgent({ request: user("x"), toolkit: kit(), send });
  for await (const event of stream)
    if (event.type === "toolStart") assert.ok(stream.steer({ role: "user", content: "Hurry." }));
  assert.equal(requests[1].messages.at(-1).content, "Hurry.");
  assert.equal(stream.steer({ role: "user", content: "Too late." }), false);
});

test("prepare changes the next request only", async () => {
  const { send, requests } = scripted(response("", [["a", "double", { n: 1 }]]), done);
  const prepare = ({ iteration }) => (iteration === 1 ? { model: "other", temperature: 0 } : undefined);
  await runAgent({ request: { model: "m", ...user("x") }, toolkit: kit(), send, prepare });
  assert.deepEqual(
    requests.map(({ model }) => model),
    ["other", "m"],
  );
});

test("stopWhen ends the run after a turn", async () => {
  const { send } = scripted(response("", [["a", "double", { n: 1 }]]), done);
  const stopWhen = ({ executions }) => executions.some(({ call }) => call.name === "double");
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send, stopWhen });
  assert.deepEqual([outcome.reason, outcome.iterations], ["stopped", 1]);
});

test("a typed output is checked, coerced and repaired", async () => {
  const output = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
    additionalProperties: false,
  };
  const { send, requests } = scripted(response("I think eight."), response('```json\n{"n": "8",}\n```'));
  const outcome = await runAgent({ request: user("x"), toolkit: kit(), send, output });
  assert.deepEqual([outcome.reason, outcome.output], ["answer", { n: 8 }]);
  assert.equal(requests[0].responseFormat.type, "jsonSchema");
  assert.match(requests[1].messages.at(-1).content, /follows this JSON Schema/);
});

test("a sub-agent counts towards the calling run", async () => {
  const inner = scripted(response("", [["x", "double", { n: 2 }]]), response("It is 4."));
  const dear = { ...double, costPerUse: 2 };
  const ask = agentTool({
    name: "ask",
    parameters: { type: "object", properties: { question: { type: "string" } } },
    agent: ({ question }) => ({ request: user(question), toolkit: kit(dear), send: inner.send }),
  });
  const { send } = scripted(response("", [["a", "ask", { question: "2*2?" }]]), done);
  const outcome = await runAgent({ request: user("x"), toolkit: kit(ask), send });
  assert.deepEqual(resultsIn(outcome.messages), { a: "It is 4." });
  assert.equal(outcome.usage.total, 60);
  assert.equal(outcome.cost, 2);

  const failing = agentTool({
    name: "ask",
    agent: () => ({
      request: user("x"),
      toolkit: kit(),
      send: async () => response("", [["y", "nothing"]]),
      maxIterations: 1,
    }),
  });
  const failed = await runAgent({
    request: user("x"),
    toolkit: kit(failing),
    send: scripted(response("", [["a", "ask"]]), done).send,
  });
  assert.equal(resultsIn(failed.messages).a.error_type, "agent_max_iterations");
});

test("a tool of the request is the caller's to run", async () => {
  const request = { ...user("x"), tools: [{ name: "browser", parameters: { type: "object" } }] };
  const { send } = scripted(
    response("", [
      ["a", "browser"],
      ["b", "double", { n: 1 }],
    ]),
  );
  const outcome = await runAgent({ request, toolkit: kit(), send });
  assert.equal(outcome.reason, "external");
  assert.deepEqual(outcome.pending, [{ id: "a", name: "browser", arguments: {} }]);
  await assert.rejects(runAgent({ request: { ...user("x"), tools: [{ name: "double" }] }, toolkit: kit(), send }), {
    code: "duplicate_tool",
    path: "/request/tools/0",
  });
});
