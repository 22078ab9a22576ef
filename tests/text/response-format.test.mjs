// `simulateResponseFormat`, and `responseFormat` together with simulated tools.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { worked } from "../support/time.mjs";
import { user } from "../toolkit/support/model.mjs";
import { startProvider } from "../toolkit/support/provider.mjs";
import { checkValue, runAgent, sendTo, Toolkit } from "../toolkit/support/toolkit.mjs";
import * as text from "./support/text.mjs";
import { piecesOf } from "./support/texts.mjs";

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const schema = {
  type: "object",
  properties: { city: { type: "string" }, celsius: { type: "number", minimum: -90 } },
  required: ["city", "celsius"],
  additionalProperties: false,
};
const asked = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "The weather?" },
  ],
  responseFormat: { type: "jsonSchema", name: "weather", description: "The weather of a city.", schema },
};

test("the schema is in the prompt, in the place of the option", () => {
  const contents = (place, request = asked) =>
    text
      .simulateResponseFormat({ enforce: "none", ...(place && { place }) })
      .request(request)
      .request.messages.map(({ content }) => content);
  assert.match(contents()[0], /^Be brief\.\n\nThe weather of a city\..*exactly one JSON value.*"celsius"/s);
  assert.match(contents("systemStart")[0], /"celsius".*Be brief\.$/s);
  assert.match(contents("user")[1], /"celsius"/);
  assert.match(contents(undefined, { ...asked, responseFormat: { type: "json" } })[0], /one JSON object/);
});

test("the means of enforcement, by server and by format of the request", () => {
  const written = (write, enforce, more) => {
    const stage = text.simulateResponseFormat(enforce && { enforce });
    const warnings = [];
    const options = { simulateTools: stage, onWarning: (warning) => warnings.push(warning.path) };
    return { body: write({ ...asked, ...more }, options), warnings };
  };
  assert.deepEqual(written(text.toOpenAI).body.response_format, { type: "json_object" });
  const { minimum: _, ...celsius } = schema.properties.celsius;
  const enforced = { ...schema, properties: { ...schema.properties, celsius } };
  assert.deepEqual(written(text.toOllama).body.format, enforced);
  assert.equal(written(text.toAnthropic, undefined, { maxTokens: 9 }).body.output_config, undefined);
  assert.equal(written(text.toOpenAI, "none").body.response_format, undefined);
  const { body, warnings } = written(text.toOpenAI, "llama.cpp");
  const { name, description } = asked.responseFormat;
  assert.deepEqual(body.response_format, { type: "json_schema", json_schema: { name, description, schema: enforced } });
  assert.deepEqual(warnings, ["/responseFormat/schema/properties/celsius/minimum"]);
  const { additionalProperties: __, ...closed } = enforced;
  assert.deepEqual(written(text.toOpenAI, "tgi").body.response_format, { type: "json_object", value: closed });
  assert.equal(written(text.toOpenAI, "jsonSchema").body.response_format.json_schema.strict, true);
  const any = written(text.toOpenAI, "vllm", { responseFormat: { type: "json" } });
  assert.deepEqual(any.body.response_format, { type: "json_object" });
});

test("native tools stay, and then nothing but the prompt asks for JSON", () => {
  const tools = [{ name: "f", parameters: { type: "object" } }];
  const stage = text.simulateResponseFormat();
  const body = text.toOpenAI({ ...asked, tools }, { simulateTools: stage });
  assert.equal(body.tools.length, 1);
  assert.equal(body.response_format, undefined);
  assert.match(body.messages[0].content, /If you call no tool, respond with exactly one JSON value/);
});

test("a request without a response format stays as it is", () => {
  const { responseFormat: _, ...plain } = asked;
  const stage = text.simulateResponseFormat();
  for (const request of [plain, { ...plain, responseFormat: { type: "text" } }]) {
    const simulated = stage.request(request, { to: "openai" });
    assert.deepEqual(simulated.request, request);
    const response = responseOf("See {this}: [1]");
    assert.deepEqual(stage.response(response, simulated.reading), response);
    assert.deepEqual(streamed(stage, simulated.reading, "See {this}: [1]", 3).text, "See {this}: [1]");
  }
});

const responseOf = (content) => ({
  message: { role: "assistant", content: [{ type: "text", text: content }] },
  ...{ text: content, toolCalls: [], invalidToolCalls: [], finishReason: "stop" },
});

function streamed(stage, reading, content, size) {
  const events = stage.stream(reading);
  const deltas = piecesOf(content, size).map((piece) => ({ type: "textDelta", block: 0, text: piece }));
  const all = [...deltas, { type: "finish", finishReason: "stop" }].flatMap((event) => events.push(event));
  const read = [...all, ...events.end()];
  const joined = (kind) => read.map((event) => (event.type === kind ? event.text : "")).join("");
  return { text: joined("textDelta"), reasoning: joined("reasoningDelta"), last: read.at(-1).type };
}

const json = '{"city": "Zürich {a}", "celsius": 21}';
const texts = [
  [json, json],
  [`Here it is:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`, json],
  [`[see] ${json}`, json],
  [`<think>Is it {warm}?</think>${json}`, json, "Is it {warm}?"],
  [`{broken} ${json} {"more": 1}`, json],
  ["I don't know.", "I don't know."],
  ['{"city": "Zür', '{"city": "Zür'],
  ["[1, 2]", "[1, 2]"],
];

test("JSON is taken out of the text around it, whole and streamed", () => {
  const stage = text.simulateResponseFormat();
  const { reading } = stage.request(asked, { to: "openai" });
  for (const [content, expected, reasoning] of texts) {
    const whole = stage.response(responseOf(content), reading);
    assert.equal(whole.text, expected, content);
    assert.deepEqual(
      whole.message.content.map((block) => block.text),
      reasoning ? [reasoning, expected] : [expected],
    );
    for (const size of [1, 4, 1000]) {
      const stream = streamed(stage, reading, content, size);
      assert.deepEqual(stream, { text: expected, reasoning: reasoning ?? "", last: "finish" }, content);
    }
  }
  const { metadata } = stage.response(responseOf(texts[1][0]), reading);
  assert.equal(metadata.toolwire.text, texts[1][0]);
});

test("prose with many brackets takes no time", () => {
  const stage = text.simulateResponseFormat();
  const { reading } = stage.request(asked);
  const started = worked();
  for (const content of ["[".repeat(1e6), "{ [".repeat(3e5), '"{'.repeat(3e5)]) {
    assert.equal(stage.response(responseOf(content), reading).text, content);
  }
  assert.ok(worked() - started < 5000);
});

test("mistakes in the options", () => {
  const error = (code, path) => ({ name: "ToolwireError", code, path });
  assert.throws(() => text.simulateResponseFormat({ format: "json" }), error("invalid_value", "/format"));
  assert.throws(() => text.simulateResponseFormat({ place: "end" }), error("invalid_value", "/place"));
  assert.throws(() => text.simulateResponseFormat({ enforce: "nobody" }), error("invalid_value", "/enforce"));
});

const says = (content) => ({ blocks: [{ type: "text", pieces: piecesOf(content, 4) }], finish: "stop" });

for (const stream of [true, false]) {
  test(`an agent's output where the provider has no structured output, ${stream ? "streamed" : "whole"}`, async () => {
    provider.play(says("It is warm."), says("```json\n{'city': 'Bern', 'celsius': '21'}\n```"));
    const simulate = text.simulateResponseFormat({ enforce: "none" });
    const send = sendTo({ to: "openai", baseUrl: `${provider.url}/openai`, apiKey: "k", stream, simulate });
    const request = { model: "m", ...user("The weather?") };
    const outcome = await runAgent({ request, toolkit: new Toolkit(), send, output: schema, timeoutMs: 10_000 });
    assert.equal(outcome.reason, "answer");
    assert.deepEqual(outcome.output, { city: "Bern", celsius: 21 });
    const [first, second] = provider.received.map(({ body }) => body);
    assert.equal(first.response_format, undefined);
    assert.match(first.messages[0].content, /"celsius"/);
    assert.match(second.messages.at(-1).content, /not a valid value/);
  });
}

for (const format of ["hermes_json", "json"]) {
  test(`an agent's output together with tools in ${format}`, async () => {
    const isObject = format === "json";
    const call = { name: "get_weather", arguments: {} };
    const value = { city: "Bern", celsius: 21 };
    provider.play(
      says(isObject ? JSON.stringify({ text: null, calls: [call] }) : `<tool_call>${JSON.stringify(call)}</tool_call>`),
      says(JSON.stringify(isObject ? { text: value, calls: [] } : value)),
    );
    const to = isObject ? "ollama" : "openai";
    const simulate = text.simulateTools(format);
    const send = sendTo({ to, baseUrl: `${provider.url}/${to}`, apiKey: "k", simulate });
    const toolkit = new Toolkit([{ name: "get_weather", execute: () => "21 degrees" }]);
    const request = { model: "m", ...user("The weather?") };
    const outcome = await runAgent({ request, toolkit, send, output: schema, timeoutMs: 10_000 });
    assert.equal(outcome.reason, "answer", outcome.error?.message);
    assert.deepEqual(outcome.output, value);
    const { messages, format: enforced, response_format: native } = provider.received[0].body;
    assert.match(messages[0].content, /"celsius"/);
    assert.equal(native, undefined);
    if (!isObject) return;
    const isValid = (response) => checkValue(enforced, response, { coerce: false }).problems.length === 0;
    assert.ok(isValid({ text: value, calls: [] }) && isValid({ text: null, calls: [call] }));
    assert.ok(!isValid({ text: "It is warm.", calls: [] }));
  });
}
