// `enforce`: the request fields of each server, what the server does not enforce, and responses that are JSON objects.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isComplete, resultsIn, user } from "../toolkit/support/model.mjs";
import { startProvider } from "../toolkit/support/provider.mjs";
import { checkValue, runAgent, sendTo, Toolkit } from "../toolkit/support/toolkit.mjs";
import * as text from "./support/text.mjs";
import { piecesOf } from "./support/texts.mjs";

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

const weather = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { $ref: "#/$defs/name" }, days: { type: "integer", maximum: 7 } },
    required: ["city"],
    $defs: { name: { type: "string", minLength: 1 } },
  },
};
/** The same name with another meaning, and a reference to the root. */
const file = {
  name: "make_folder",
  parameters: {
    type: "object",
    properties: { path: { $ref: "#/$defs/name" }, inner: { type: "array", items: { $ref: "#" } } },
    required: ["path"],
    additionalProperties: false,
    $defs: { name: { enum: ["a", "b"] } },
  },
};
const canonical = { model: "m", messages: [{ role: "user", content: "Rain?" }], tools: [weather, file] };

/** The written request, and the warnings. */
function written(write, enforce, more) {
  const warnings = [];
  const simulateTools = { format: "json", ...(enforce && { enforce }) };
  const body = write({ ...canonical, ...more }, { simulateTools, onWarning: (warning) => warnings.push(warning) });
  assert.equal(body.tools, undefined);
  return { body, warnings: warnings.filter(({ dialect }) => dialect === "canonical") };
}
const schemaOf = (more) => written(text.toOllama, "ollama", more).body.format;

test("the field that each server reads", () => {
  const json = ({ response_format: format }) => format;
  const { json_schema: schema } = json(written(text.toOpenAI, "vllm").body);
  assert.deepEqual([schema.name, schema.strict], ["response", undefined]);
  const within = (enforce) => json(written(text.toOpenAI, enforce).body);
  assert.deepEqual(within("sglang"), { type: "json_schema", json_schema: schema });
  for (const server of ["llama.cpp", "lmstudio", "ollama"]) {
    const { type, json_schema: own } = within(server);
    assert.deepEqual([type, own.name, own.schema.required], ["json_schema", "response", ["text", "calls"]], server);
  }
  const { type, value } = within("tgi");
  assert.deepEqual([type, value.required], ["json_object", ["text", "calls"]]);
  assert.deepEqual(within("jsonMode"), { type: "json_object" });
  assert.deepEqual(within("none"), undefined);
  assert.deepEqual(written(text.toOllama, "ollama").body.format, within("ollama").json_schema.schema);
  const strict = within("jsonSchema").json_schema;
  assert.equal(strict.strict, true);
  assert.equal(strict.schema.additionalProperties, false);
});

test("auto: the means that the format of the request supports, for models without a format of their own", () => {
  const cases = [
    [text.toOpenAI, ({ response_format: format }) => format, { type: "json_object" }],
    [text.toOpenAIResponses, ({ text: { format } }) => format, { type: "json_object" }],
    [text.toGemini, ({ generationConfig }) => generationConfig.responseMimeType, "application/json"],
    [text.toOllama, ({ format }) => format.type, "object"],
    [text.toAnthropic, ({ output_config: config }) => config, undefined],
  ];
  for (const [write, field, expected] of cases) {
    for (const enforce of [undefined, "auto"]) {
      const { body, warnings } = written(write, enforce);
      assert.deepEqual(field(body), expected);
      assert.ok(warnings.every(({ lossy }) => !lossy));
      const asks = JSON.stringify(body).includes("exactly one JSON object");
      assert.equal(asks, expected !== undefined);
    }
  }
  const own = text.toOpenAI(canonical, { simulateTools: { format: "hermes_json", enforce: "auto" } });
  assert.equal(own.response_format, undefined);
  const named = { ...canonical, model: "Qwen3-Coder-30B" };
  assert.equal(text.toOllama(named, { simulateTools: "auto" }).format, undefined);
  assert.equal(text.toOllama(canonical, { simulateTools: "auto" }).format.type, "object");
});

const call = (name, args) => ({ name, arguments: args });
const says = (...calls) => ({ text: "", calls });
const isValid = (schema, value) =>
  checkValue(schema, value, { coerce: false, clamp: false, defaults: false }).problems.length === 0;

test("the schema accepts valid responses, and no others", () => {
  const schema = schemaOf();
  const inner = { path: "a", inner: [{ path: "b", inner: [] }] };
  for (const value of [
    { text: "Hi", calls: [] },
    says(call("get_weather", { city: "Paris", days: 3 })),
    says(call("get_weather", { city: "Paris" }), call("make_folder", inner)),
  ]) {
    assert.ok(isValid(schema, value), JSON.stringify(value));
  }
  for (const value of [
    { text: "Hi" },
    says(call("get_weather", { city: "" })),
    says(call("get_weather", { city: "Paris", days: 9 })),
    says(call("make_folder", { path: "Paris" })),
    says(call("make_folder", { path: "a", inner: [{ path: "c" }] })),
    says(call("other", {})),
    { ...says(), more: 1 },
  ]) {
    assert.ok(!isValid(schema, value), JSON.stringify(value));
  }
});

test("tool choice and parallel calls are part of the schema", () => {
  const paris = call("get_weather", { city: "Paris" });
  const folder = call("make_folder", { path: "a" });
  const cases = [
    [{ toolChoice: "required" }, [{ calls: [paris, folder] }], [{ calls: [] }, says(paris)]],
    [{ toolChoice: { name: "get_weather" } }, [{ calls: [paris] }], [{ calls: [folder] }, { calls: [] }]],
    [{ toolChoice: { allowed: ["make_folder"] } }, [says(folder), says()], [says(paris)]],
    [{ toolChoice: { allowed: ["make_folder"], mode: "required" } }, [{ calls: [folder] }], [says(folder)]],
    [{ parallelToolCalls: false }, [says(paris), says()], [says(paris, folder)]],
  ];
  for (const [more, valid, invalid] of cases) {
    const schema = schemaOf(more);
    for (const value of valid) assert.ok(isValid(schema, value), JSON.stringify([more, value]));
    for (const value of invalid) assert.ok(!isValid(schema, value), JSON.stringify([more, value]));
  }
  assert.equal(schemaOf({ toolChoice: "none" }), undefined);
  assert.equal(schemaOf({ tools: [] }), undefined);
});

const odd = {
  name: "odd",
  parameters: {
    type: "object",
    properties: {
      a: { type: "number", minimum: 1 },
      b: { type: "integer", minimum: 1 },
      c: { type: "string", pattern: "x" },
      d: { type: "string", pattern: "^x$", maxLength: 65536 },
      e: { type: "string", format: "email" },
      f: { type: "string", format: "date" },
      not: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 1999 },
      g: { const: { not: 1 } },
    },
    additionalProperties: false,
  },
};

test("keywords that a server does not enforce are reported, and those that it refuses omitted", () => {
  const at = (path) => `/tools/0/parameters/properties/${path}`;
  const reported = (enforce) => written(text.toOllama, enforce, { tools: [odd] }).warnings;
  for (const server of ["ollama", "lmstudio", "llama.cpp"]) {
    const warnings = reported(server);
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ["a/minimum", "d/maxLength", "e/format", "not/uniqueItems"].map(at),
    );
    assert.ok(warnings.every(({ code, lossy }) => code === "strict_dropped" && lossy));
    assert.match(warnings[1].message, /left out: `maxLength` is not enforced/);
  }
  const { properties } = written(text.toOllama, "ollama", { tools: [odd] }).body.format.properties.calls.items
    .properties.arguments;
  assert.deepEqual(properties.d, { type: "string", pattern: "^x$" });
  assert.equal(properties.not.maxItems, 1999);
  assert.equal(properties.b.minimum, 1);
  const paths = (enforce) => reported(enforce).map(({ path }) => path);
  const tgi = ["a/minimum", "b/minimum", "c/pattern", "d/maxLength", "not/uniqueItems"];
  assert.deepEqual(paths("tgi"), tgi.map(at));
  for (const server of ["vllm", "sglang"])
    assert.deepEqual(paths(server), ["c/pattern", "d/maxLength", "e/format", "not/uniqueItems"].map(at));
  const [mode] = written(text.toOpenAI, "jsonMode").warnings;
  assert.deepEqual([mode.code, mode.path], ["strict_dropped", "/tools"]);
  assert.throws(
    () =>
      text.toOllama(
        { ...canonical, tools: [odd] },
        { simulateTools: { format: "json", enforce: "ollama" }, lossy: "error" },
      ),
    { code: "lossy" },
  );
});

test("servers that enforce from the first token on do not let the model reason", () => {
  const reasoning = { effort: "low" };
  const paths = (enforce, more) => written(text.toOpenAI, enforce, more).warnings.map(({ path }) => path);
  for (const server of ["llama.cpp", "lmstudio", "tgi"])
    assert.ok(paths(server, { reasoning }).includes("/reasoning"), server);
  for (const server of ["vllm", "sglang", "ollama"])
    assert.ok(!paths(server, { reasoning }).includes("/reasoning"), server);
  assert.ok(!paths("llama.cpp", { reasoning: { effort: "none" } }).includes("/reasoning"));
});

test("a field that the format of the request does not have is reported", () => {
  const warnings = [];
  const simulateTools = { format: "json", enforce: "tgi" };
  text.toAnthropic({ ...canonical, maxTokens: 9 }, { simulateTools, onWarning: ({ path }) => warnings.push(path) });
  assert.ok(warnings.includes("/metadata/openai/response_format"), warnings.join());
});

test("mistakes are errors with a path", () => {
  const mistakes = [
    [{ format: "json", enforce: "vlm" }, /none, auto, jsonMode/],
    [{ format: "hermes_json", enforce: "ollama" }, /Ollama enforces JSON, not `hermes_json`/],
    [{ format: "hermes_json", enforce: "jsonMode" }, /JSON mode enforces JSON/],
  ];
  for (const [options, message] of mistakes) {
    assert.throws(() => text.simulateTools(options), { code: "invalid_value", path: "/enforce", message });
  }
});

const spoken = (object, size = 5) => ({
  blocks: [{ type: "text", pieces: piecesOf(typeof object === "string" ? object : JSON.stringify(object), size) }],
  finish: "stop",
});

for (const stream of [true, false]) {
  for (const dialect of ["openai", "ollama"]) {
    test(`a run on ${dialect} with JSON enforced, ${stream ? "streamed" : "whole"}, a repair included`, async () => {
      const double = {
        name: "double",
        parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
        execute: ({ n }) => n * 2,
      };
      provider.play(
        spoken({ text: "Let me see.", calls: [call("double", { n: "many" })] }),
        spoken({ calls: [call("double", { n: 21 }), call("double", { n: 4 })] }),
        spoken({ text: 'It is "42" and 8 🙂.', calls: [] }, 2),
      );
      const simulate = text.simulateTools("json");
      const send = sendTo({ to: dialect, baseUrl: `${provider.url}/${dialect}`, apiKey: "k", stream, simulate });
      const options = { request: { model: "m", ...user("2 × 21?") }, toolkit: new Toolkit([double]), send };
      const outcome = await runAgent({ ...options, timeoutMs: 10_000 });
      assert.equal(`${outcome.reason}: ${outcome.text}`, 'answer: It is "42" and 8 🙂.');
      assert.deepEqual(
        Object.values(resultsIn(outcome.messages)).map((value) => value?.error_type ?? value),
        ["invalid_arguments", 42, 8],
      );
      assert.ok(isComplete(outcome.messages));
      const bodies = provider.received.map(({ body }) => body);
      for (const body of bodies) assert.ok(dialect === "ollama" ? body.format.properties.calls : body.response_format);
      const [, , first, , second] = bodies[2].messages.map(({ content }) => content);
      assert.deepEqual(JSON.parse(first), { text: "Let me see.", calls: [call("double", { n: "many" })] });
      assert.deepEqual(JSON.parse(second).calls.length, 2);
    });
  }
}

test("a server that ignores the schema: text and fenced calls are read as before", async () => {
  const fenced = '```json:toolCall\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n```';
  const stage = text.simulateTools("json");
  const { reading } = stage.request(canonical, { to: "openai" });
  const response = (content) => ({
    message: { role: "assistant", content: [{ type: "text", text: content }] },
    ...{ text: content, toolCalls: [], invalidToolCalls: [], finishReason: "stop" },
  });
  assert.deepEqual(stage.response(response(fenced), reading).toolCalls[0].arguments, { city: "Paris" });
  assert.equal(stage.response(response("It rains."), reading).text, "It rains.");
});

test("text of a format is enforced by a grammar", () => {
  const written = (enforce, format = "hermes_json", more = {}) => {
    const simulateTools = { format, enforce };
    return text.toOpenAI({ ...canonical, ...more }, { simulateTools });
  };
  const syntaxes = {
    vllm: ["structuralTag", ({ structured_outputs: outputs }) => JSON.parse(outputs.structural_tag)],
    sglang: ["gbnf", ({ ebnf }) => ebnf],
    "llama.cpp": ["gbnf", ({ grammar }) => grammar],
  };
  for (const [enforce, [syntax, fieldOf]] of Object.entries(syntaxes)) {
    for (const format of ["hermes_json", "qwen3_xml", "mistral_args"]) {
      const body = written(enforce, format);
      assert.deepEqual(fieldOf(body), text.toolGrammar(canonical.tools, { syntax, format }).grammar, enforce);
      assert.equal(body.response_format, undefined);
      assert.doesNotMatch(body.messages[0].content, /exactly one JSON object/);
    }
    const rules = { toolChoice: { name: "get_weather" }, parallelToolCalls: false };
    const { grammar } = text.toolGrammar(canonical.tools, { syntax, format: "hermes_json", ...rules });
    assert.deepEqual(fieldOf(written(enforce, "hermes_json", rules)), grammar);
    const named = { ...canonical, model: "Qwen3-Coder-30B" };
    const byName = text.toOpenAI(named, { simulateTools: { format: "auto", enforce } });
    const own = text.toolGrammar(canonical.tools, { syntax, format: "qwen3_xml" }).grammar;
    assert.deepEqual(fieldOf(byName), own);
    // nothing to enforce
    assert.equal(
      fieldOf({ structured_outputs: { structural_tag: "null" }, ...written(enforce, "hermes_json", { tools: [] }) }) ??
        undefined,
      undefined,
    );
  }
});

test("keywords that a grammar does not enforce are reported, with the path in the tool", () => {
  const warnings = [];
  const simulateTools = { format: "hermes_json", enforce: "llama.cpp" };
  text.toOpenAI({ ...canonical, tools: [odd] }, { simulateTools, onWarning: (warning) => warnings.push(warning) });
  const own = warnings.filter(({ code }) => code === "strict_dropped");
  assert.ok(
    own.length > 0 && own.every(({ path, lossy }) => path.startsWith("/tools/0/parameters/") && lossy),
    JSON.stringify(own),
  );
});
