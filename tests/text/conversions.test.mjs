// The conversions with simulated tools: whole and streamed, in every form of a body, with the context of the request.

import assert from "node:assert/strict";
import test from "node:test";
import { bracketStage } from "./support/stage.mjs";
import * as text from "./support/text.mjs";

const { base } = text;
const encode = (value) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const decode = (bytes) => new TextDecoder().decode(bytes);

const request = {
  model: "m",
  max_tokens: 100,
  tools: [{ name: "get_weather", description: "Weather.", input_schema: { type: "object", properties: {} } }],
  messages: [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Look:" },
        { type: "tool_use", id: "t1", name: "get_weather", input: { city: "Bern" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "rain" }] },
  ],
};
const conversion = { from: "anthropic", to: "openai", simulateTools: bracketStage() };
const answer = 'So: [get_weather{"city":"Paris"}]';
const response = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: answer, refusal: null }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
};
const chunk = (delta, finish_reason = null, more = {}) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
const back = () => ({
  from: "openai",
  to: "anthropic",
  simulateTools: bracketStage(),
  context: text.contextOf(request, conversion),
});
const callsIn = (message) =>
  message.content.filter(({ type }) => type === "tool_use").map(({ name, input }) => [name, input]);

test("a request has no tools, and its history is text", () => {
  const { tools, messages } = text.convertRequest(request, conversion);
  assert.equal(tools, undefined);
  assert.deepEqual(
    messages.map(({ role, content }) => [role, content]),
    [
      ["system", "Tools: get_weather"],
      ["user", "Hi"],
      ["assistant", 'Look:[get_weather{"city":"Bern"}]'],
      ["user", 'get_weather: "rain"'],
    ],
  );
});

test("every form of a body gives the same", () => {
  const object = text.convertRequest(request, conversion);
  assert.deepEqual(JSON.parse(text.convertRequest(JSON.stringify(request), conversion)), object);
  assert.deepEqual(JSON.parse(decode(text.convertRequest(encode(request), conversion))), object);
  assert.deepEqual(JSON.parse(decode(text.convertRequest(encode(request).buffer, conversion))), object);
  const read = text.convertResponse(response, back());
  assert.deepEqual(JSON.parse(text.convertResponse(JSON.stringify(response), back())), read);
  assert.deepEqual(JSON.parse(decode(text.convertResponse(encode(response), back()))), read);
});

test("text of a response comes back as calls, with the finish reason and everything else", () => {
  const message = text.convertResponse(response, back());
  assert.deepEqual(callsIn(message), [["get_weather", { city: "Paris" }]]);
  assert.equal(message.content[0].text, "So: ");
  assert.equal(message.stop_reason, "tool_use");
  assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [3, 4]);
  const canonical = text.convertResponse(response, { ...back(), to: "canonical" });
  assert.equal(canonical.finishReason, "tool_calls");
});

const chunks = (size) => {
  const pieces = answer.match(new RegExp(`.{1,${size}}`, "gs"));
  const parts = pieces.map((content) => chunk({ content }));
  const usage = { usage: response.usage };
  return [chunk({ role: "assistant", content: "" }), ...parts, chunk({}, "stop", usage), "data: [DONE]\n\n"];
};

test("a stream gives the calls of the whole response", async () => {
  for (const size of [1, 3, 100]) {
    const converter = text.convertStream(back());
    const parts = chunks(size).map((part) => decode(converter.push(encode(part))));
    const whole = parts.join("") + decode(converter.finish());
    const reader = base.readStream({ from: "anthropic" });
    reader.push(whole);
    reader.end();
    const read = reader.finish();
    assert.deepEqual(
      read.toolCalls.map(({ name, arguments: args }) => [name, args]),
      [["get_weather", { city: "Paris" }]],
    );
    assert.equal(read.text, "So: ");
    assert.equal(read.finishReason, "tool_calls");
    const { warnings } = converter;
    assert.ok(warnings.every(({ lossy }) => !lossy));
    converter.free();
    assert.deepEqual(converter.warnings, warnings);
  }
});

test("a call that is open when the stream breaks off does not reach formats that have each call in one piece", () => {
  const began = chunk({ content: 'Look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par' });
  for (const to of ["gemini", "vertexai", "ollama", "mistral"]) {
    const simulateTools = text.simulateTools("hermes_json");
    const context = text.contextOf(request, { from: "anthropic", to: "openai", simulateTools });
    const converter = text.convertStream({ from: "openai", to, simulateTools, context });
    const written = decode(converter.push(encode(began))) + decode(converter.finish());
    assert.match(written, /Look/);
    assert.match(written, /the stream ended before the response was complete/);
    assert.doesNotMatch(written, /get_weather|rawArguments/);
    assert.deepEqual(
      converter.warnings.map(({ code }) => code),
      ["stream_truncated", "call_dropped"],
    );
    converter.free();
  }
});

test("a stream as a pipe", async () => {
  const source = new ReadableStream({
    start(controller) {
      for (const part of chunks(2)) controller.enqueue(encode(part));
      controller.close();
    },
  });
  const converter = text.convertStream(back());
  const piped = await new Response(source.pipeThrough(converter.transform())).text();
  assert.match(piped, /"type":"tool_use"/);
  assert.match(piped, /"stop_reason":"tool_use"/);
  assert.throws(() => converter.transform(), { code: "stream_failed" });
});

test("readStream and streamEvents", async () => {
  const options = { from: "openai", simulateTools: bracketStage(), context: back().context };
  const reader = text.readStream(options);
  const events = [...chunks(5).flatMap((part) => reader.push(part)), ...reader.end()];
  const types = ["start", "textDelta", "toolCallStart", "toolCallDelta", "toolCallEnd", "usage", "finish"];
  assert.deepEqual([...new Set(events.map(({ type }) => type))], types);
  const whole = reader.finish();
  assert.equal(whole.toolCalls[0].name, "get_weather");

  const source = text.streamEvents(chunks(5), options);
  const seen = [];
  let next = await source.next();
  for (; !next.done; next = await source.next()) seen.push(next.value);
  assert.deepEqual(seen, events);
  assert.deepEqual(next.value, whole);
});

test("drivers: toX and fromX", () => {
  const canonical = base.convertRequest(request, { from: "anthropic", to: "canonical" });
  const simulateTools = bracketStage();
  assert.deepEqual(
    text.toOpenAI(canonical, { simulateTools }).messages.map(({ role }) => role),
    ["system", "user", "assistant", "user"],
  );
  const context = text.contextOf(canonical, { from: "canonical", to: "openai", simulateTools });
  assert.equal(text.fromOpenAI(response, { simulateTools, context }).toolCalls[0].arguments.city, "Paris");
  assert.deepEqual(text.toOpenAI(canonical), base.toOpenAI(canonical));
  assert.deepEqual(text.fromOpenAI(response), base.fromOpenAI(response));
});

test("every format has its functions here", () => {
  const own = Object.keys(base).filter((name) => /^(to|from)[A-Z]/.test(name));
  const parts = /(Tools|ToolChoice|ToolConfig|Messages|ToolCalls|Request|Response|Schema|Universal)$/;
  const ofDrivers = own.filter((name) => !parts.test(name));
  assert.ok(ofDrivers.length >= 14);
  const [overridden, given] = [{ ...text }, { ...base }];
  for (const name of ofDrivers) assert.notEqual(overridden[name], given[name], name);
  assert.deepEqual(
    Object.keys(base).filter((name) => !(name in text)),
    [],
  );
});

test("the context is plain JSON, and required on the way back", () => {
  const { context, ...without } = back();
  assert.deepEqual(JSON.parse(JSON.stringify(context)), context);
  assert.throws(() => text.convertResponse(response, without), { code: "missing_field", path: "/options/context" });
  const { simulateTools: _, ...unsimulated } = back();
  assert.throws(() => text.convertResponse(response, unsimulated), {
    code: "missing_field",
    path: "/options/simulateTools",
  });
  const other = { ...back(), context: { simulation: { version: 2 } } };
  assert.throws(() => text.convertResponse(response, other), {
    code: "invalid_value",
    path: "/options/context/simulation",
  });
  const error = { error: { message: "no", type: "invalid_request_error" } };
  assert.equal(text.convertError(error, { ...back(), status: 400 }).type, "error");
});

test("warnings of the stage are reported, or thrown if lossy", () => {
  const strict = { ...conversion, from: "openai", to: "ollama" };
  const body = {
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", function: { name: "f", strict: true, parameters: { type: "object" } } }],
  };
  const codes = [];
  text.convertRequest(body, { ...strict, onWarning: ({ code }) => codes.push(code) });
  assert.deepEqual(codes, ["strict_dropped"]);
  assert.throws(() => text.convertRequest(body, { ...strict, lossy: "error" }), { code: "lossy", path: "/tools" });
  const silent = [];
  text.contextOf(body, { ...strict, onWarning: undefined });
  assert.deepEqual(silent, []);
});

test("a value that is not a stage is rejected", () => {
  for (const simulateTools of [null, 5, []]) {
    const expected = { name: "ToolwireError", code: "invalid_type", path: "/options/simulateTools" };
    assert.throws(() => text.convertRequest(request, { ...conversion, simulateTools }), expected);
  }
});

test("without the option, everything is as in toolwire", () => {
  const plain = { from: "anthropic", to: "openai" };
  assert.deepEqual(text.convertRequest(request, plain), base.convertRequest(request, plain));
  assert.deepEqual(text.contextOf(request, plain), base.contextOf(request, plain));
  const wayBack = { from: "openai", to: "anthropic" };
  assert.deepEqual(text.convertResponse(response, wayBack), base.convertResponse(response, wayBack));
  assert.ok(text.convertStream(wayBack) instanceof base.StreamConverter);
});

const dsml =
  '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls> Sunny.';

/** Converts the response of a model that writes text after its calls. */
const droppingBack = (more) => {
  const simulateTools = "deepseek_v4_dsml";
  const context = text.contextOf(request, { from: "anthropic", to: "openai", simulateTools });
  return { from: "openai", to: "anthropic", simulateTools, context, ...more };
};
const stream = `${chunk({ role: "assistant", content: dsml })}${chunk({}, "stop")}data: [DONE]\n\n`;

test("text that is dropped is a warning, once", async () => {
  const warnings = [];
  const onWarning = (warning) => warnings.push(warning);
  const expect = (path) => {
    const message = "text after the calls was dropped: `Sunny.`";
    assert.deepEqual(
      warnings.splice(0).filter(({ code }) => code === "content_dropped"),
      [{ code: "content_dropped", message, path, lossy: true, level: "loss", dialect: "canonical" }],
    );
  };
  const whole = structuredClone(response);
  whole.choices[0].message.content = dsml;
  const message = text.convertResponse(whole, droppingBack({ onWarning }));
  assert.deepEqual(callsIn(message), [["get_weather", {}]]);
  expect("/message/content");
  text.fromOpenAI(whole, droppingBack({ onWarning }));
  expect("/message/content");
  const converter = text.convertStream(droppingBack({ onWarning }));
  converter.push(encode(stream));
  converter.finish();
  assert.equal(converter.warnings.filter(({ code }) => code === "content_dropped").length, 1);
  expect("");
  const reader = text.readStream(droppingBack({ onWarning }));
  reader.push(encode(stream));
  reader.end();
  reader.finish();
  expect("");
  const pieces = (async function* () {
    yield encode(stream);
  })();
  for await (const event of text.streamEvents(pieces, droppingBack({ onWarning })))
    assert.notEqual(event.type, "dropped");
  expect("");
  assert.throws(() => text.convertResponse(whole, droppingBack({ lossy: "error" })), { code: "lossy" });
});
