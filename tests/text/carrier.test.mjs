// `enforce: "openai"`: calls in the input of a custom tool with a grammar, with OpenAI's SDK and in all conversions.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { isComplete, resultsIn, user } from "../toolkit/support/model.mjs";
import { runAgent, sendTo, Toolkit } from "../toolkit/support/toolkit.mjs";
import { startCustomTools } from "./support/custom-tools.mjs";
import * as text from "./support/text.mjs";

let provider;
let client;
before(async () => {
  provider = await startCustomTools();
  client = new OpenAI({ apiKey: "k", maxRetries: 0, baseURL: provider.url });
});
after(() => provider.close());

const weather = {
  name: "get_weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", multipleOf: 2 } },
    required: ["city"],
    additionalProperties: false,
  },
};
const request = { model: "gpt-5", messages: [{ role: "user", content: "Rain?" }], tools: [weather] };
const simulateTools = { format: "hermes_json", enforce: "openai" };
const called = (...cities) =>
  cities
    .map((city) => `<tool_call>\n{"name": "get_weather", "arguments": {"city": "${city}"}}\n</tool_call>`)
    .join("\n");

const apis = {
  openai: {
    to: text.toOpenAI,
    from: text.fromOpenAI,
    create: (body) => client.chat.completions.create(body),
    custom: ({ tools: [{ custom }] }) => ({ ...custom, format: custom.format.grammar }),
    choice: (name) => ({ type: "custom", custom: { name } }),
    inputs: ({ messages }) => messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ custom }) => custom.input)),
    outputs: ({ messages }) => messages.filter(({ role }) => role === "tool").map(({ content }) => content),
  },
  "openai-responses": {
    to: text.toOpenAIResponses,
    from: text.fromOpenAIResponses,
    create: (body) => client.responses.create(body),
    custom: ({ tools: [tool] }) => tool,
    choice: (name) => ({ type: "custom", name }),
    inputs: ({ input }) => input.filter(({ type }) => type === "custom_tool_call").map((item) => item.input),
    outputs: ({ input }) => input.filter(({ type }) => type === "custom_tool_call_output").map(({ output }) => output),
  },
};

/** A response that is read whole, or as a stream, with the events. */
async function ask(dialect, asked, stream) {
  const { to, from, create } = apis[dialect];
  const context = text.contextOf(asked, { from: "canonical", to: dialect, simulateTools });
  const answer = await create(to({ ...asked, ...(stream && { stream }) }, { simulateTools }));
  if (!stream) return from(answer, { simulateTools, context });
  const events = text.streamEvents(answer, { from: dialect, simulateTools, context });
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
  }
}

for (const dialect of Object.keys(apis)) {
  for (const stream of [false, true]) {
    test(`OpenAI's SDK, ${dialect}, ${stream ? "streamed" : "whole"}: text, two calls, results, and the final response`, async () => {
      provider.play(
        { text: "Let me look.", input: called("Zürich", 'a "b"\\n'.replaceAll('"', '\\"')) },
        { text: "No." },
      );
      const { message, ...first } = await ask(dialect, request, stream);
      assert.deepEqual(
        first.toolCalls.map(({ name, arguments: { city } }) => [name, city]),
        [
          ["get_weather", "Zürich"],
          ["get_weather", 'a "b"\n'],
        ],
      );
      assert.deepEqual(
        [first.text, first.finishReason, first.toolCalls[0].id],
        ["Let me look.", "tool_calls", "call_1"],
      );
      const results = first.toolCalls.map(({ id, name }, at) => ({
        ...{ role: "tool", toolCallId: id, name },
        ...{ kind: "data", value: { rain: at } },
      }));
      const asked = { ...request, messages: [...request.messages, message, ...results] };
      const last = await ask(dialect, asked, stream);
      assert.deepEqual([last.text, last.toolCalls, last.finishReason], ["No.", [], "stop"]);

      const { custom, inputs, outputs } = apis[dialect];
      const [body, next] = provider.received;
      const { name, format } = custom(body);
      const definition = text.toolGrammar([weather], {
        syntax: "openai",
        format: "hermes_json",
        toolChoice: "required",
      });
      assert.deepEqual([name, format.definition], ["call_tools", definition.grammar]);
      assert.deepEqual([body.tool_choice, body.parallel_tool_calls], ["auto", false]);
      assert.equal(inputs(next)[0], called("Zürich", 'a \\"b\\"\\n'));
      assert.match(outputs(next)[0], /"rain": 0[\s\S]*"rain": 1/);
      assert.equal(outputs(next).length, 1);
    });

    test(`an agent, ${dialect}, ${stream ? "streamed" : "whole"}, a repair included`, async () => {
      const double = {
        name: "double",
        parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
        execute: ({ n }) => n * 2,
      };
      const call = (n) => `<tool_call>\n{"name": "double", "arguments": {"n": ${n}}}\n</tool_call>`;
      provider.play({ input: call('"many"') }, { input: `${call(21)}\n${call(4)}` }, { text: "42 and 8." });
      const send = sendTo({
        ...{ to: dialect, baseUrl: provider.url, apiKey: "k", stream },
        simulate: text.simulateTools(simulateTools),
      });
      const options = { request: { model: "gpt-5", ...user("2 × 21?") }, toolkit: new Toolkit([double]), send };
      const outcome = await runAgent({ ...options, timeoutMs: 10_000 });
      assert.equal(`${outcome.reason}: ${outcome.text}`, "answer: 42 and 8.", JSON.stringify(outcome.error));
      assert.deepEqual(
        Object.values(resultsIn(outcome.messages)).map((value) => value?.error_type ?? value),
        ["invalid_arguments", 42, 8],
      );
      assert.ok(isComplete(outcome.messages));
      assert.deepEqual(apis[dialect].inputs(provider.received[2]), [call('"many"'), `${call(21)}\n${call(4)}`]);
    });
  }

  test(`${dialect}: tool choice`, () => {
    const { to, choice } = apis[dialect];
    const forced = choice("call_tools");
    const choices = [
      ["none", "none", "required"],
      ["required", forced, "required"],
      [{ name: "get_weather" }, forced, { name: "get_weather" }],
      [{ allowed: ["get_weather"] }, "auto", { allowed: ["get_weather"], mode: "required" }],
      [{ allowed: ["get_weather"], mode: "required" }, forced, { allowed: ["get_weather"], mode: "required" }],
    ];
    const tools = [weather, { name: "call_tools_" }];
    for (const [toolChoice, expected, enforced] of choices) {
      const body = to({ ...request, tools, toolChoice }, { simulateTools });
      assert.deepEqual(body.tool_choice, expected, JSON.stringify(toolChoice));
      const options = { syntax: "openai", format: "hermes_json", toolChoice: enforced };
      assert.equal(apis[dialect].custom(body).format.definition, text.toolGrammar(tools, options).grammar);
    }
    const { name } = apis[dialect].custom(to({ ...request, tools: [{ name: "call_tools" }] }, { simulateTools }));
    assert.equal(name, "call_tools_");
    assert.equal(to({ ...request, tools: [] }, { simulateTools }).tools?.length ?? 0, 0);
  });
}

test("keywords that OpenAI does not enforce are reported; a response format is kept", () => {
  const warnings = [];
  const responseFormat = { type: "jsonSchema", name: "x", schema: { type: "object", properties: {} } };
  const body = text.toOpenAI({ ...request, responseFormat }, { simulateTools, onWarning: (one) => warnings.push(one) });
  assert.deepEqual(
    warnings.filter(({ code }) => code === "strict_dropped").map(({ path, lossy }) => [path, lossy]),
    [["/tools/0/parameters/properties/days/multipleOf", true]],
  );
  assert.equal(body.response_format.type, "json_schema");
  assert.throws(() => text.toOpenAI(request, { simulateTools, lossy: "error" }), { code: "lossy" });
});

const anthropic = {
  model: "gpt-5",
  max_tokens: 99,
  messages: [{ role: "user", content: "Rain?" }],
  tools: [{ name: "get_weather", input_schema: weather.parameters }],
};

for (const dialect of Object.keys(apis)) {
  test(`conversions of bytes: a client of Anthropic and ${dialect}`, async () => {
    const conversion = { from: "anthropic", to: dialect, simulateTools };
    const back = { from: dialect, to: "anthropic", simulateTools, context: text.contextOf(anthropic, conversion) };
    const post = (body) =>
      fetch(`${provider.url}/${dialect === "openai" ? "chat/completions" : "responses"}`, { method: "POST", body });
    const step = { id: "call_1", text: "Let me look.", input: called("Zürich", "Bern") };
    provider.play(step, step);
    const whole = text.convertResponse(
      await (await post(text.convertRequest(JSON.stringify(anthropic), conversion))).text(),
      back,
    );
    const { content, stop_reason: reason } = JSON.parse(whole);
    assert.deepEqual(
      content.map(({ text, name, input }) => text ?? [name, input.city]),
      ["Let me look.", ["get_weather", "Zürich"], ["get_weather", "Bern"]],
    );
    assert.equal(reason, "tool_use");

    const streaming = text.convertRequest(JSON.stringify({ ...anthropic, stream: true }), conversion);
    const bytes = new Uint8Array(await (await post(streaming)).arrayBuffer());
    const converter = text.convertStream(back);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 7) pieces.push(converter.push(bytes.slice(at, at + 7)).slice());
    pieces.push(converter.finish().slice());
    const events = text.readStream({ from: "anthropic" });
    for (const piece of pieces) events.push(piece);
    events.end();
    const { toolCalls, finishReason, text: read } = events.finish();
    assert.deepEqual(
      [read, finishReason, toolCalls.map(({ id, arguments: { city } }) => [id, city])],
      ["Let me look.", "tool_calls", content.slice(1).map(({ id, input }) => [id, input.city])],
    );
    assert.doesNotMatch(Buffer.concat(pieces).toString(), /call_tools/);
  });
}

test("another provider gets a function; its arguments are read as the input", () => {
  const context = text.contextOf(request, { from: "canonical", to: "gemini", simulateTools });
  const { tools } = text.toGemini(request, { simulateTools });
  assert.deepEqual(Object.keys(tools[0].functionDeclarations[0].parametersJsonSchema.properties), ["input"]);
  const functionCall = { name: "call_tools", args: { input: called("Bern") } };
  const candidates = [{ content: { role: "model", parts: [{ functionCall }] }, finishReason: "STOP" }];
  const { toolCalls } = text.fromGemini({ candidates }, { simulateTools, context });
  assert.deepEqual(toolCalls[0].arguments, { city: "Bern" });
});

test("a format whose calls have ids, and the format json", () => {
  for (const format of ["kimi_k2", "json"]) {
    const options = { simulateTools: { format, enforce: "openai" } };
    const context = text.contextOf(request, { from: "canonical", to: "openai", ...options });
    const message = {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "x", name: "get_weather", arguments: { city: "Bern" } }],
    };
    const input = text.callsAsText(message, format);
    const custom = { name: "call_tools", input };
    const choices = [
      {
        index: 0,
        message: { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "custom", custom }] },
        finish_reason: "tool_calls",
      },
    ];
    const read = text.fromOpenAI(
      { id: "1", object: "chat.completion", created: 1, model: "m", choices },
      { ...options, context },
    );
    assert.deepEqual(read.toolCalls[0].arguments, { city: "Bern" });
    const warnings = [];
    const result = { role: "tool", toolCallId: read.toolCalls[0].id, name: "get_weather", kind: "text", value: "sun" };
    const messages = [...request.messages, read.message, result];
    const next = text.toOpenAI(
      { ...request, messages },
      { ...options, onWarning: (warning) => warnings.push(warning) },
    );
    assert.equal(apis.openai.inputs(next)[0], input);
    assert.ok(
      warnings.every(({ code }) => code === "strict_dropped" || code === "id_rewritten"),
      JSON.stringify(warnings),
    );
  }
});

test("a response format that is simulated is a strict schema", () => {
  const stage = text.simulateResponseFormat({ enforce: "openai" });
  const responseFormat = { type: "jsonSchema", name: "city", schema: weather.parameters };
  const { request: made } = stage.request({ ...request, tools: undefined, responseFormat });
  assert.deepEqual([made.responseFormat.strict, made.responseFormat.name], [true, "city"]);
});
