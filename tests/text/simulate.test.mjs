// `simulateTools`: a request without tools, and text in the formats of models as calls, whole and streamed.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as text from "./support/text.mjs";
import { families, piecesOf } from "./support/texts.mjs";

const { base } = text;
const encode = (value) => new TextEncoder().encode(value);
const decode = (bytes) => new TextDecoder().decode(bytes);

const schema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};
const canonical = {
  model: "m",
  maxTokens: 100,
  messages: [{ role: "user", content: "Rain?" }],
  tools: [{ name: "get_weather", description: "Weather.", parameters: schema }],
};
const requests = {
  anthropic: base.toAnthropic(canonical),
  openai: base.toOpenAI(canonical),
};

const outputs = Object.fromEntries(Object.entries(families).map(([format, { output }]) => [format, output]));

const responseOf = (content) => ({
  id: "r1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
});

function chunksOf(content, size) {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: "r1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(content, size).map((piece) => chunk({ content: piece })),
    chunk({}, "stop"),
    "data: [DONE]\n\n",
  ];
}

/** The conversion of a response to the client's format. */
const wayBack = (client, simulateTools) => ({
  from: "openai",
  to: client,
  simulateTools,
  context: text.contextOf(requests[client], { from: client, to: "openai", simulateTools }),
});

const read = (client, body) => base.convertResponse(body, { from: client, to: "canonical" });
const callsOf = ({ toolCalls }) => toolCalls.map(({ name, arguments: args }) => [name, args]);
const idsOf = ({ toolCalls }) => toolCalls.map(({ id }) => id);
const expected = [["get_weather", { city: "Zürich", days: 3 }]];

for (const [format, output] of Object.entries(outputs)) {
  for (const client of Object.keys(requests)) {
    test(`${format} to ${client}: text becomes calls, whole and streamed`, () => {
      const back = wayBack(client, format);
      const whole = text.convertResponse(responseOf(output), back);
      const response = read(client, whole);
      assert.deepEqual(callsOf(response), expected);
      assert.equal(response.finishReason, "tool_calls");
      assert.equal(response.text.trim(), families[format].text ?? "");

      for (const size of [1, 4, 1000]) {
        const converter = text.convertStream(back);
        const pieces = chunksOf(output, size).map((piece) => decode(converter.push(encode(piece))));
        const stream = pieces.join("") + decode(converter.finish());
        converter.free();
        const reader = base.readStream({ from: client });
        reader.push(stream);
        reader.end();
        const streamed = reader.finish();
        assert.deepEqual(callsOf(streamed), expected, `pieces of ${size}`);
        assert.deepEqual(idsOf(streamed), idsOf(response));
        assert.equal(streamed.finishReason, "tool_calls");
        assert.equal(streamed.text, response.text);
      }
    });
  }
}

test("a response as a client of the format gets it", () => {
  const message = text.convertResponse(responseOf(outputs.hermes_json), wayBack("anthropic", "hermes_json"));
  assert.equal(message.stop_reason, "tool_use");
  assert.deepEqual(message.content.at(-1).input, { city: "Zürich", days: 3 });
  const completion = text.convertResponse(responseOf(outputs.hermes_json), wayBack("openai", "hermes_json"));
  const [{ finish_reason: reason, message: assistant }] = completion.choices;
  assert.equal(reason, "tool_calls");
  assert.deepEqual(JSON.parse(assistant.tool_calls[0].function.arguments), { city: "Zürich", days: 3 });
});

test("a request has a prompt in place of its tools", () => {
  for (const simulateTools of ["hermes_json", { format: "hermes_json" }, text.simulateTools("hermes_json")]) {
    const sent = text.convertRequest(requests.openai, { from: "openai", to: "openai", simulateTools });
    assert.equal(sent.tools, undefined);
    assert.equal(sent.messages[0].role, "system");
    assert.match(sent.messages[0].content, /<tool_call>/);
    assert.match(sent.messages[0].content, /get_weather/);
  }
  const options = { format: "hermes_json", place: "user", examples: false, definitions: "typescript" };
  const simulateTools = text.simulateTools(options);
  const { messages } = text.convertRequest(requests.openai, { from: "openai", to: "openai", simulateTools });
  assert.equal(messages.length, 1);
  assert.match(messages[0].content, /^Rain\?|Rain\?$/);
});

test("auto takes the format of the model", () => {
  const stage = text.simulateTools("auto");
  const formatOf = (model) => stage.request({ ...canonical, model }).reading.format;
  assert.deepEqual(["Qwen/Qwen3-Coder-30B", "gpt-oss-20b", "m"].map(formatOf), ["qwen3_xml", "harmony", "json"]);
});

test("reasoning and broken calls are read too", () => {
  const back = { ...wayBack("openai", "hermes_json"), to: "canonical" };
  const thinking = text.convertResponse(responseOf("<think>Rain.</think>No."), back);
  assert.deepEqual([thinking.reasoningText, thinking.text, thinking.finishReason], ["Rain.", "No.", "stop"]);
  const broken = `<tool_call>\n{"name": "get_weather", "arguments": {"city": }}\n</tool_call>`;
  const { toolCalls, invalidToolCalls, text: rest } = text.convertResponse(responseOf(broken), back);
  assert.deepEqual(toolCalls, []);
  assert.ok(invalidToolCalls.length === 1 || rest === broken);
});

test("losses of a request are warnings, or an error with lossy: 'error'", () => {
  const body = { ...canonical, responseFormat: { type: "json" } };
  const conversion = { from: "canonical", to: "openai", simulateTools: "hermes_json" };
  const warnings = [];
  text.convertRequest(body, { ...conversion, onWarning: (warning) => warnings.push(warning) });
  const own = warnings.filter(({ path }) => path === "/responseFormat");
  assert.deepEqual(
    own.map(({ code, lossy, dialect }) => [code, lossy, dialect]),
    [["setting_dropped", true, "canonical"]],
  );
  const strict = { ...conversion, lossy: "error" };
  assert.throws(() => text.convertRequest(body, strict), { code: "lossy", path: "/responseFormat" });
});

test("mistakes in the options are errors with a path and the nearest name", () => {
  const mistakes = [
    ["hermes", "invalid_value", "/format", /did you mean `hermes_json`/],
    [{ format: "harmnoy" }, "invalid_value", "/format", /did you mean `harmony`/],
    [{ format: "json", exmples: false }, "invalid_value", "/exmples", /did you mean `examples`/],
    [{ format: "json", place: "end" }, "invalid_value", "/place", /systemEnd/],
    [{ format: "json", definitions: "yaml" }, "invalid_value", "/definitions", /typescript/],
    [{}, "missing_field", "/format", /required/],
    [5, "invalid_type", "", /expected/],
    [[], "invalid_type", "", /expected/],
  ];
  for (const [options, code, path, message] of mistakes) {
    assert.throws(() => text.simulateTools(options), { name: "ToolwireError", code, path, message });
    const simulateTools = options;
    const conversion = { from: "openai", to: "openai", simulateTools };
    const within = { code, path: `/options/simulateTools${path}`, message };
    assert.throws(() => text.convertRequest(requests.openai, conversion), within);
  }
});

test("native tools are rejected", () => {
  const tools = [...canonical.tools, { type: "native", provider: "openai", value: { type: "web_search" } }];
  assert.throws(() => text.simulateTools("json").request({ ...canonical, tools }), {
    name: "ToolwireError",
    path: "/tools/1",
  });
});

test("an invalid reading is an error", () => {
  const stage = text.simulateTools("json");
  for (const reading of [{}, { version: 2 }]) {
    assert.throws(() => stage.stream(reading), { name: "ToolwireError", path: "/reading" });
  }
});
