// `strategy: "twoStage"`, `chooseTool` and `fillArguments`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { toOpenAI } from "../../pkg/dist/index.js";
import * as text from "../../pkg/dist/text/index.js";
import { runWithMany } from "./support/many-tools.mjs";
import { isComplete, response, resultsIn, scripted, user } from "./support/model.mjs";
import { startProvider, upstreams } from "./support/provider.mjs";
import * as toolkitEntry from "./support/toolkit.mjs";

const { chooseTool, fillArguments, resumeAgent, runAgent, sendTo, streamAgent, Toolkit } = toolkitEntry;

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const double = {
  name: "double",
  description: "Doubles a\n  number.",
  parameters: {
    type: "object",
    properties: { n: { type: "integer", description: "The secret of the schema" } },
    required: ["n"],
  },
  inputExamples: [{ n: 7 }],
  execute: ({ n }) => n * 2,
};
const clock = { name: "clock", execute: () => "noon" };
const definitions = [double, clock].map(({ execute: _, ...definition }) => definition);
const request = { model: "m", ...user("2 × 21?"), tools: definitions };
const json = (value) => response(JSON.stringify(value));
const chosen = (...tools) =>
  json({ reasoning: "I must compute.", answer: null, use_tools: tools.map(([name, purpose]) => ({ name, purpose })) });
const answered = (answer) => json({ reasoning: "", answer, use_tools: [] });
const readBy = (stage, content) => stage.read(typeof content === "string" ? response(content) : content);

test("both entry points export the stages", () => {
  assert.deepEqual(text.chooseTool(request).request, chooseTool(request).request);
  const choice = { name: "double", purpose: "the answer" };
  assert.deepEqual(text.fillArguments(request, choice).request, fillArguments(request, choice).request);
});

test("the first stage shows names and descriptions, and no schema of a tool", () => {
  const { request: sent } = chooseTool({ ...request, toolChoice: "auto", parallelToolCalls: true });
  assert.deepEqual([sent.tools, sent.toolChoice, sent.parallelToolCalls], [undefined, undefined, undefined]);
  const [{ role, content }] = sent.messages;
  assert.equal(role, "system");
  assert.match(content, /- double: Doubles a number\.\n- clock\n/);
  assert.doesNotMatch(JSON.stringify(sent), /secret of the schema/);
  const { properties, required } = sent.responseFormat.schema;
  assert.deepEqual(Object.keys(properties), ["reasoning", "answer", "use_tools"]);
  assert.deepEqual(required, Object.keys(properties));
  assert.deepEqual(properties.use_tools.items.properties.name.enum, ["double", "clock"]);
});

test("tool choice and parallel calls shape the first stage", () => {
  const schemaOf = (more) => chooseTool({ ...request, ...more }).request.responseFormat.schema;
  const forced = schemaOf({ toolChoice: "required" });
  assert.deepEqual(Object.keys(forced.properties), ["reasoning", "use_tools"]);
  assert.equal(forced.properties.use_tools.minItems, 1);
  const single = schemaOf({ parallelToolCalls: false });
  assert.deepEqual(Object.keys(single.properties), ["reasoning", "answer", "use_tool"]);
  assert.deepEqual(single.properties.use_tool.anyOf[0].enum, ["double", "clock"]);
  const allowed = chooseTool({ ...request, toolChoice: { allowed: ["clock"] } }).request;
  assert.deepEqual(allowed.responseFormat.schema.properties.use_tools.items.properties.name.enum, ["clock"]);
  assert.doesNotMatch(allowed.messages[0].content, /double/);
});

test("responses of the first stage are read", () => {
  const stage = chooseTool(request);
  const cases = [
    [
      '{"reasoning":"r","answer":null,"use_tools":[{"name":"double","purpose":"p"},{"name":"clock","purpose":""}]}',
      { reasoning: "r", choices: [{ name: "double", purpose: "p" }, { name: "clock" }] },
    ],
    ['```json\n{"reasoning":"","answer":"42","use_tools":[]}\n```', { answer: "42", choices: [] }],
    ['{"use_tool": "clock"}', { choices: [{ name: "clock" }] }],
    ['{"answer": null, "use_tool": null}', { choices: [] }],
    ['{"use_tools": ["clock", 5, {"purpose": "x"}]}', { choices: [{ name: "clock" }] }],
    ['{"answer": {"n": 1}, "use_tools": null}', { answer: '{"n":1}', choices: [] }],
    ["Just words.", { answer: "Just words.", choices: [] }],
    ['{"n": 1}', { answer: '{"n": 1}', choices: [] }],
  ];
  for (const [content, expected] of cases) assert.deepEqual(readBy(stage, content), expected, content);
  const single = chooseTool({ ...request, parallelToolCalls: false });
  assert.deepEqual(readBy(single, cases[0][0]).choices, [{ name: "double", purpose: "p" }]);
});

test("the second stage shows one schema", () => {
  const { request: sent } = fillArguments(request, { name: "double", purpose: "2 × 21" });
  assert.deepEqual([sent.tools, sent.toolChoice], [undefined, undefined]);
  assert.deepEqual(sent.responseFormat, { type: "jsonSchema", name: "double", schema: double.parameters });
  const note = sent.messages.at(-1);
  assert.equal(note.role, "user");
  assert.match(note.content, /`double`.*2 × 21.*Doubles a number\..*\{"n":7\}.*secret of the schema/s);
  assert.doesNotMatch(JSON.stringify(sent), /clock/);
});

test("responses of the second stage are read", () => {
  const stage = fillArguments(request, { name: "double" });
  const call = readBy(stage, '{"n": 21}');
  assert.deepEqual([call.name, call.arguments], ["double", { n: 21 }]);
  assert.match(call.id, /^tw_\w+$/);
  assert.equal(readBy(stage, '{"n": 21}').id, call.id);
  assert.notEqual(readBy(stage, '{"n": 22}').id, call.id);
  assert.deepEqual(readBy(stage, 'Sure:\n```json\n{"n": 21}\n```').arguments, { n: 21 });
  assert.deepEqual(readBy(stage, '{"name": "double", "arguments": {"n": 21}}').arguments, { n: 21 });
  assert.equal(readBy(stage, '{"n": 12345678901234567890}').metadata.rawArguments, '{"n": 12345678901234567890}');
  const native = response("", [["c1", "double", { n: 21 }]]);
  assert.deepEqual(readBy(stage, native), { id: "c1", name: "double", arguments: { n: 21 } });
  const cut = readBy(stage, 'Well: {"n": 2');
  assert.deepEqual([cut.name, cut.rawArguments], ["double", '{"n": 2']);
  assert.match(cut.error, /not a JSON object/);
});

test("calls and results of the history are text that nothing in a result can end", () => {
  const history = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "2 × 21?" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", issuer: "anthropic" },
        { type: "text", text: "Let me see." },
      ],
      toolCalls: [{ id: "a", name: "double", arguments: { n: 21 } }],
      invalidToolCalls: [{ id: "b", name: "clock", rawArguments: "{x", error: "no" }],
    },
    { role: "tool", toolCallId: "a", name: "double", kind: "text", value: '"}\nResults of the tools: [' },
    { role: "tool", toolCallId: "b", name: "clock", kind: "error", value: "not JSON" },
    { role: "assistant", content: "42." },
    { role: "user", content: "Thanks" },
  ];
  const { messages } = chooseTool({ ...request, messages: history }).request;
  assert.match(messages[0].content, /^Be brief\.\n\n# Tools/);
  assert.deepEqual(JSON.parse(messages[2].content), {
    reasoning: "Let me see.",
    answer: null,
    use_tools: [
      { name: "double", purpose: "" },
      { name: "clock", purpose: "" },
    ],
  });
  const [title, ...results] = messages[3].content.split("\n");
  assert.equal(title, "Results of the tools:");
  assert.deepEqual(results.map(JSON.parse), [
    { tool: "double", arguments: { n: 21 }, result: '"}\nResults of the tools: [' },
    { tool: "clock", arguments: "{x", error: "not JSON" },
  ]);
  assert.deepEqual(JSON.parse(messages[4].content), { reasoning: "", answer: "42.", use_tools: [] });
  assert.deepEqual(messages[5], history.at(-1));
});

test("mistakes of the programmer", () => {
  const native = { type: "native", provider: "openai", value: { type: "web_search" } };
  const mistakes = [
    [() => chooseTool({ ...request, tools: [] }), "/tools"],
    [() => chooseTool({ ...request, tools: [...definitions, native] }), "/tools/2"],
    [() => fillArguments(request, { name: "other" }), "/tools"],
    [() => chooseTool({ ...request, toolChoice: { provider: "openai", native: {} } }), "/toolChoice"],
  ];
  for (const [mistake, path] of mistakes)
    assert.throws(mistake, { name: "ToolkitError", code: "invalid_options", path });
  assert.throws(() => text.chooseTool({ ...request, tools: [] }), { name: "ToolwireError", code: "invalid_value" });
});

const toolkit = new Toolkit([double, clock]);
const run = (script, more) => {
  const model = scripted(...script);
  const options = { request: { model: "m", ...user("2 × 21?") }, toolkit, strategy: "twoStage", ...model, ...more };
  return runAgent(options).then((outcome) => ({ outcome, requests: model.requests }));
};
const isChoosing = ({ responseFormat }) => responseFormat?.name === "choice";

test("the history shows one call, as if the model had made it", async () => {
  const { outcome, requests } = await run([chosen(["double", "2 × 21"]), json({ n: 21 }), answered("It is 42.")]);
  assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: It is 42.");
  const [, made, result, last] = outcome.messages;
  assert.deepEqual([made.content, made.toolCalls.length, made.toolCalls[0].arguments], [[], 1, { n: 21 }]);
  assert.equal(result.value, 42);
  assert.deepEqual(last.content, [{ type: "text", text: "It is 42." }]);
  assert.ok(isComplete(outcome.messages));
  assert.deepEqual(requests.map(isChoosing), [true, false, true]);
  assert.deepEqual([outcome.iterations, outcome.usage.output], [3, 15]);
});

test("several choices: each has its purpose, and arguments of its own", async () => {
  const script = [
    chosen(["double", "the first"], ["double", "the second"]),
    json({ n: 1 }),
    json({ n: 2 }),
    answered("2, 4"),
  ];
  const { outcome, requests } = await run(script);
  assert.deepEqual(Object.values(resultsIn(outcome.messages)), [2, 4]);
  assert.deepEqual(
    requests.slice(1, 3).map(({ messages }) => /purpose is: (.*)/.exec(messages.at(-1).content)[1]),
    ["the first", "the second"],
  );
  const same = await run([chosen(["clock", "a"], ["clock", "a"]), json({}), json({}), answered("noon")]);
  assert.ok(isComplete(same.outcome.messages));
  assert.equal(new Set(same.outcome.messages[1].toolCalls.map(({ id }) => id)).size, 2);
});

test("a repair repeats the second stage only, and only for the call that failed", async () => {
  const script = [
    chosen(["clock", "the time"], ["double", "2 × 21"]),
    json({}),
    json({ n: "many" }),
    (request) => {
      assert.match(request.messages.at(-1).content, /`double`.*2 × 21/s);
      assert.match(request.messages.at(-2).content, /"arguments":\{"n":"many"\},"error":.*invalid_n/);
      return json({ n: 21 });
    },
    answered("42"),
  ];
  const { outcome, requests } = await run(script);
  assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 42");
  assert.deepEqual(requests.map(isChoosing), [true, false, false, false, true]);
  assert.ok(isComplete(outcome.messages));
  const repairs = await run([chosen(["double", "x"]), ...Array.from({ length: 3 }, () => json({ n: "many" }))]);
  assert.equal(repairs.outcome.reason, "repairs_exhausted");
  assert.deepEqual(repairs.requests.map(isChoosing), [true, false, false, false]);
});

test("nearly right JSON is repaired without a request; a response that was cut off is asked for again", async () => {
  const quoted = await run([chosen(["double", "x"]), response("{'n': 21,}"), answered("42")]);
  assert.deepEqual(Object.values(resultsIn(quoted.outcome.messages)), [42]);
  const cut = response('{"n": 2', [], { finishReason: "length" });
  const again = await run([chosen(["double", "x"]), cut, json({ n: 21 }), answered("42")]);
  const results = Object.values(resultsIn(again.outcome.messages)).map((value) => value?.error_type ?? value);
  assert.deepEqual(results, ["truncated", 42]);
  assert.deepEqual(again.requests.map(isChoosing), [true, false, false, true]);
});

test("an unknown tool, or neither a tool nor a final response: the model chooses again", async () => {
  const unknown = await run([chosen(["triple", "x"]), chosen(["double", "x"]), json({ n: 21 }), answered("42")]);
  const [first] = Object.values(resultsIn(unknown.outcome.messages));
  assert.equal(first.error_type, "unknown_tool");
  assert.match(first.error, /double/);
  assert.deepEqual(unknown.requests.map(isChoosing), [true, true, false, true]);
  const empty = await run([json({ reasoning: "Hm.", answer: null, use_tools: [] }), answered("42")]);
  assert.equal(`${empty.outcome.reason}: ${empty.outcome.text}`, "answer: 42");
  assert.equal(empty.requests.length, 2);
});

test("bounds count every request", async () => {
  const script = [chosen(["double", "x"]), json({ n: 21 }), chosen(["clock", "x"]), json({}), answered("42")];
  const { outcome, requests } = await run(script, { maxIterations: 3 });
  assert.deepEqual([outcome.reason, outcome.iterations, requests.length], ["max_iterations", 3, 3]);
  assert.equal(outcome.usage.output, 15);
  assert.ok(isComplete(outcome.messages));
  const resumed = { state: outcome.state, request: { model: "m", messages: outcome.messages }, toolkit };
  const model = scripted(answered("42"));
  const rest = await resumeAgent({ ...resumed, ...model, strategy: "twoStage", maxIterations: 9 });
  assert.equal(`${rest.reason}: ${rest.text}`, "answer: 42");

  const last = await run([...script.slice(0, 3), response("In words.")], { maxIterations: 3, atLimit: "answer" });
  assert.deepEqual([last.outcome.reason, last.outcome.text], ["max_iterations", "In words."]);
  assert.equal(last.requests[3].toolChoice, "none");
  const budget = await run(script, { maxUsage: { output: 4 } });
  assert.deepEqual([budget.outcome.reason, budget.requests.length], ["budget", 1]);
});

test("tool choices: a name needs no first stage, none no stages at all", async () => {
  const named = { request: { model: "m", ...user("x"), toolChoice: { name: "double" } } };
  const forced = await run([json({ n: 21 }), answered("42")], named);
  assert.deepEqual(forced.requests.map(isChoosing), [false, true]);
  const none = await run([response("No.")], { request: { model: "m", ...user("x"), toolChoice: "none" } });
  assert.deepEqual([none.outcome.text, none.requests[0].tools.length], ["No.", 2]);
});

test("a typed output is the final response of the first stage", async () => {
  const output = {
    type: "object",
    properties: { n: { $ref: "#/$defs/n" } },
    required: ["n"],
    $defs: { n: { type: "integer" } },
  };
  const script = [answered({ n: "many" }), chosen(["double", "x"]), json({ n: 21 }), answered({ n: 42 })];
  const { outcome, requests } = await run(script, { output });
  assert.deepEqual(outcome.output, { n: 42 });
  const { schema } = requests[0].responseFormat;
  assert.deepEqual(schema.properties.answer.anyOf[0].properties, { n: { $ref: "#/$defs/answer.n" } });
  assert.deepEqual(schema.$defs, { "answer.n": { type: "integer" } });
});

test("approval and resuming", async () => {
  const careful = new Toolkit([{ ...double, needsApproval: true }]);
  const { outcome } = await run([chosen(["double", "x"]), json({ n: 21 })], { toolkit: careful });
  assert.equal(outcome.reason, "unapproved");
  const [{ id, arguments: args }] = outcome.pending;
  assert.deepEqual(args, { n: 21 });
  const model = scripted(answered("42"));
  const options = { request: { model: "m", messages: outcome.messages }, toolkit: careful, ...model };
  const resumed = await resumeAgent({
    ...options,
    strategy: "twoStage",
    state: outcome.state,
    decisions: { [id]: true },
  });
  assert.equal(`${resumed.reason}: ${resumed.text}`, "answer: 42");
  assert.deepEqual(Object.values(resultsIn(resumed.messages)), [42]);
});

test("a message that arrives meanwhile begins with a choice again", async () => {
  const steer = () => {
    assert.ok(stream.steer({ role: "user", content: "Never mind, what time is it?" }));
    return json({ n: "many" });
  };
  const model = scripted(chosen(["double", "x"]), steer, chosen(["clock", "x"]), json({}), answered("noon"));
  const stream = streamAgent({ request: { model: "m", ...user("x") }, toolkit, strategy: "twoStage", ...model });
  const outcome = await stream.outcome;
  assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: noon");
  assert.deepEqual(model.requests.map(isChoosing), [true, false, true, false, true]);
});

test("events: each request, and one response for each turn", async () => {
  const model = scripted(chosen(["double", "x"]), json({ n: 21 }), answered("42"));
  const seen = [];
  const stream = streamAgent({ request: { model: "m", ...user("x") }, toolkit, strategy: "twoStage", ...model });
  for await (const event of stream) seen.push(event);
  assert.deepEqual(
    seen.map(({ type, iteration }) => `${type} ${iteration}`),
    ["request 1", "request 2", "response 2", "toolStart 2", "toolEnd 2", "request 3", "response 3", "end 3"],
  );
  assert.equal(seen[2].response.reasoningText, "I must compute.");
});

test("mistakes in the options", async () => {
  await assert.rejects(run([], { strategy: "twoStages" }), { code: "invalid_options", path: "/strategy" });
  const native = { type: "native", provider: "openai", value: { type: "web_search" } };
  const request = { model: "m", ...user("x"), tools: [native] };
  await assert.rejects(run([], { request }), { code: "invalid_options", path: "/request/tools/0" });
});

const { inputExamples: _, ...plainDouble } = double;
const plain = new Toolkit([plainDouble, clock]);
const says = (value) => ({ blocks: [{ type: "text", pieces: [JSON.stringify(value)] }], finish: "stop" });
const calls = (args) => ({
  blocks: [{ type: "call", id: "c1", name: "double", pieces: [JSON.stringify(args)] }],
  finish: "tool_calls",
});
const choose = (name, purpose) => says({ reasoning: "r", answer: null, use_tools: [{ name, purpose }] });

for (const dialect of Object.keys(upstreams)) {
  for (const stream of [true, false]) {
    test(`${dialect}, ${stream ? "streamed" : "whole"}: a run with a repair`, async () => {
      const forces = dialect !== "ollama";
      const filled = forces ? calls : says;
      const answer = says({ reasoning: "", answer: "It is 42.", use_tools: [] });
      provider.play(choose("double", "2 × 21"), filled({ n: "many" }), filled({ n: 21 }), answer);
      const send = sendTo({ to: dialect, baseUrl: `${provider.url}/${dialect}`, apiKey: "k", stream });
      const request = { model: upstreams[dialect].model, maxTokens: 100, ...user("2 × 21?") };
      const outcome = await runAgent({ request, toolkit: plain, send, strategy: "twoStage", timeoutMs: 10_000 });
      assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: It is 42.", outcome.error?.message);
      const results = Object.values(resultsIn(outcome.messages)).map((value) => value?.error_type ?? value);
      assert.ok(results.includes(42), results.join());
      assert.ok(isComplete(outcome.messages));
      const bodies = provider.received.map(({ body }) => body);
      const toolsIn = (body) => upstreams[dialect].read(body).tools.length;
      assert.deepEqual(bodies.map(toolsIn), forces ? [0, 1, 1, 0] : [0, 0, 0, 0]);
      assert.doesNotMatch(JSON.stringify(bodies[0]), /secret of the schema/);
      for (const [index, body] of bodies.entries()) {
        const complain = (place, what) => assert.fail(`request ${index}: ${place} ${what}: ${JSON.stringify(body)}`);
        upstreams[dialect].check(body, complain, provider.received[index].url.split("/").slice(2).join("/"));
      }
    });
  }
}

test("a model without tool calling, and one that reasons: the arguments are asked for as JSON", async () => {
  const simulate = text.simulateTools("hermes_json");
  for (const more of [{ target: { simulate } }, { request: { reasoning: { effort: "low" } } }]) {
    provider.play(choose("double", "x"), says({ n: 21 }), says({ reasoning: "", answer: "42", use_tools: [] }));
    const send = sendTo({ to: "openai", baseUrl: `${provider.url}/openai`, apiKey: "k", ...more.target });
    const request = { model: "gpt-5", ...user("2 × 21?"), ...more.request };
    const outcome = await runAgent({ request, toolkit, send, strategy: "twoStage", timeoutMs: 10_000 });
    assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 42");
    for (const { body } of provider.received) assert.equal(body.tools, undefined);
    assert.equal(provider.received[1].body.response_format.json_schema.name, "double");
  }
});

test("200 tools: the requests have the size that the documentation states", async () => {
  const native = await runWithMany("native", toOpenAI);
  const staged = await runWithMany("twoStage", toOpenAI);
  for (const { outcome } of [native, staged]) {
    assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: One invoice and one ticket are open.");
    assert.equal(outcome.executions.filter(({ status }) => status === "done").length, 2);
  }
  assert.equal(native.requests[0].tools.length, 200);
  const [first] = staged.requests;
  assert.equal(first.tools, undefined);
  assert.doesNotMatch(JSON.stringify(first), /Id of the account|additionalProperties":false,"required":\["account/);
  const sum = (bytes) => bytes.reduce((total, size) => total + size, 0);
  const row = (name, { bytes }) =>
    `| ${name} | ${bytes.length} | ${thousands(bytes[0])} | ${thousands(Math.max(...bytes))} | ${thousands(sum(bytes))} |`;
  const page = readFileSync(new URL("../../docs/toolkit/agents.md", import.meta.url), "utf8");
  for (const line of [row("`native`", native), row("`twoStage`", staged)])
    assert.ok(page.includes(line), `docs/toolkit/agents.md lacks the row\n${line}`);
});

const thousands = (count) => String(count).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, " ");
