// Rules that all public functions share: options, warnings, types of input and output, and nested calls.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import vm from "node:vm";
import { esm, openAIBody, request } from "./support/package.mjs";

const toolwire = await import(esm);
const {
  convertRequest,
  convertResponse,
  toAnthropic,
  toGemini,
  toolResult,
  toOpenAI,
  ToolwireError,
  setDefaultOptions,
} = toolwire;

const fails = (call, code, message) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof ToolwireError, String(error));
    assert.equal(error.code, code);
    if (message) assert.match(error.message, message);
    return true;
  });
/** A request without max_tokens and with a setting that Anthropic lacks: two warnings. */
const warned = { model: "m", messages: [{ role: "user", content: "Hi" }], seed: 1 };
const withWarnings = (convert) => {
  const warnings = [];
  const result = convert((warning) => warnings.push(warning));
  return { result, warnings };
};

// ── options ──────────────────────────────────────────────────────────────────────────────────────────────────────
test("no options, null and an empty object are the defaults", () => {
  for (const options of [undefined, null, {}, { lossy: undefined, platform: null }]) {
    assert.deepEqual(toOpenAI(request, options), openAIBody);
  }
});

test("an option that does not exist, or with a wrong value, is named", () => {
  fails(() => toOpenAI(request, { lossyy: "error" }), "invalid_value", /lossyy/);
  fails(() => toOpenAI(request, { lossy: "never" }), "invalid_value", /lossy.*never/);
  fails(() => toOpenAI(request, { lossy: 1 }), "invalid_type", /lossy/);
  fails(() => toOpenAI(request, { maxDepth: -1 }), "invalid_value", /maxDepth/);
  fails(() => toOpenAI(request, { maxDepth: 1e9 }), "invalid_value", /maxDepth: expected at most 2000/);
  fails(() => toOpenAI(request, { idSeed: 1 }), "invalid_type", /idSeed/);
  fails(() => toOpenAI(request, { onWarning: "console.warn" }), "invalid_type", /onWarning/);
  for (const options of [1, "x", true, [], () => 1, Symbol("s"), 1n]) {
    assert.throws(() => toOpenAI(request, options), ToolwireError);
  }
});

test("a function as an option other than onWarning is refused", () => {
  const listen = () => {};
  fails(() => toOpenAI(request, { onwarning: listen }), "invalid_value", /onwarning/);
  fails(() => toOpenAI(request, { lossy: listen }), "invalid_type", /lossy/);
  for (let call = 0; call < 3; call++) {
    toOpenAI(request, { lossy: "error", onWarning: listen });
    fails(
      () => toOpenAI(request, { lossy: "error", onWarning: listen, onWarnings: listen }),
      "invalid_value",
      /onWarnings/,
    );
  }
});

test("options are read again when they change, and only one conversion keeps them", () => {
  const inFlight = { model: "m", messages: [{ role: "system", content: "S" }] };
  const role = (options) => toOpenAI(inFlight, options).messages[0].role;
  const options = { systemRole: "developer" };
  assert.deepEqual([role(options), role(), role(options)], ["developer", "system", "developer"]);
  options.systemRole = "system";
  assert.equal(role(options), "system");
  fails(() => role({ systemRole: "nobody" }), "invalid_value");
  assert.equal(role({ systemRole: "developer" }), "developer");
});

test("options whose getters throw are unreadable", () => {
  const options = {
    get lossy() {
      throw new Error("mine");
    },
  };
  fails(() => toOpenAI(request, options), "unreadable", /mine/);
});

test("a conversion needs both dialects, by name", () => {
  fails(() => convertRequest("{}", undefined), "missing_field", /from/);
  fails(() => convertRequest("{}", { from: "openai" }), "missing_field", /to/);
  fails(() => convertRequest("{}", { from: "openai", to: "chatgpt" }), "invalid_value", /chatgpt/);
  fails(() => convertRequest("{}", { from: 1, to: "openai" }), "invalid_type", /from/);
});

const forgetDefaults = { afterEach: () => setDefaultOptions(undefined) };
test("defaults apply to calls that omit the option", (context) => {
  context.after(forgetDefaults.afterEach);
  const inFlight = { model: "m", messages: [{ role: "system", content: "S" }] };
  const role = (options) => toOpenAI(inFlight, options).messages[0].role;
  const given = { systemRole: "developer" };
  assert.equal(setDefaultOptions(given), undefined);
  given.systemRole = "system";
  assert.deepEqual([role(), role({}), role({ lossy: "allow" })], ["developer", "developer", "developer"]);
  assert.deepEqual([role({ systemRole: undefined }), role({ systemRole: "system" })], ["developer", "system"]);
  setDefaultOptions({});
  assert.equal(role(), "system");
  setDefaultOptions(given);
  setDefaultOptions(undefined);
  assert.equal(role(), "system");
});

test("every warning reaches the default listener, unless the call has its own", (context) => {
  context.after(forgetDefaults.afterEach);
  const all = [];
  setDefaultOptions({ onWarning: ({ code }) => all.push(code) });
  toAnthropic(warned);
  convertRequest(JSON.stringify(warned), { from: "canonical", to: "anthropic" });
  assert.deepEqual(all.sort(), ["default_used", "default_used", "setting_dropped", "setting_dropped"]);
  toAnthropic(warned, { onWarning() {} });
  assert.equal(all.length, 4);
});

test("defaults are checked at once, and kept if they are wrong", (context) => {
  context.after(forgetDefaults.afterEach);
  setDefaultOptions({ lossy: "error" });
  fails(() => setDefaultOptions({ lossy: "never" }), "invalid_value", /lossy/);
  fails(() => setDefaultOptions({ from: "openai" }), "invalid_value", /from/);
  fails(() => setDefaultOptions("error"), "invalid_type");
  fails(() => toAnthropic(warned), "lossy");
});

// ── warnings ─────────────────────────────────────────────────────────────────────────────────────────────────────
test("onWarning gets each warning once, in order, as a plain object, after the conversion", () => {
  const order = [];
  const watched = {
    ...warned,
    get messages() {
      order.push("read");
      return warned.messages;
    },
  };
  const { warnings } = withWarnings((onWarning) =>
    toAnthropic(watched, {
      onWarning(warning) {
        order.push("warned");
        onWarning(warning);
      },
    }),
  );
  assert.deepEqual(order, ["read", "warned", "warned"]);
  for (const warning of warnings) {
    assert.equal(Object.getPrototypeOf(warning), Object.prototype);
    assert.deepEqual(Object.keys(warning).sort(), ["code", "dialect", "level", "lossy", "message", "path"]);
    assert.equal(warning.dialect, "anthropic");
  }
  assert.deepEqual(warnings.map(({ code, path, lossy }) => [code, path, lossy]).sort(), [
    ["default_used", "", false],
    ["setting_dropped", "/seed", true],
  ]);
});

test("an exception of onWarning propagates unchanged, and no further warnings follow", () => {
  for (const mine of [new Error("mine"), "mine", undefined, { mine: true }]) {
    let count = 0;
    const onWarning = () => {
      count++;
      throw mine;
    };
    let caught = "nothing";
    try {
      toAnthropic(warned, { onWarning });
    } catch (error) {
      caught = error;
    }
    assert.equal(caught, mine);
    assert.equal(count, 1);
  }
});

test("onWarning is called as a method of the options", () => {
  const owners = new Set();
  const options = {
    onWarning() {
      owners.add(this);
    },
  };
  toAnthropic(warned, options);
  assert.deepEqual([...owners], [options]);
});

test("with lossy: 'error' the first lossy warning is the error, and onWarning is not called", () => {
  const { warnings } = withWarnings((onWarning) =>
    fails(() => toAnthropic(warned, { lossy: "error", onWarning }), "lossy", /setting_dropped/),
  );
  assert.deepEqual(warnings, []);
});

// ── within one another ───────────────────────────────────────────────────────────────────────────────────────────
test("getters, toJSON and onWarning may convert meanwhile", () => {
  const message = {
    role: "user",
    get content() {
      return toOpenAI({ messages: [{ role: "user", content: "inner" }] }, { systemRole: "developer" }).messages[0]
        .content;
    },
  };
  const data = { toJSON: () => toGemini(request, { onWarning() {} }) };
  const result = { role: "tool", toolCallId: "1", name: "f", kind: "data", value: data };
  const call = { role: "assistant", content: "", toolCalls: [{ id: "1", name: "f", arguments: {} }] };
  const options = {
    onWarning: () => toOpenAI(request),
    get idSeed() {
      return toOpenAI(request, { idSeed: "inner" }).model;
    },
  };
  const body = toAnthropic({ model: "m", messages: [message, call, result] }, options);
  assert.equal(body.messages[0].content, "inner");
  assert.deepEqual(JSON.parse(body.messages[2].content[0].content), toGemini(request));
});

// ── shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────
const conversion = { from: "openai", to: "gemini" };
const text = '{"messages":[{"role":"user","content":"Grüße 🌍"}],"seed":2147483647}';

test("strings give strings, bytes bytes, objects objects", () => {
  const expected =
    '{"contents":[{"role":"user","parts":[{"text":"Grüße 🌍"}]}],"generationConfig":{"seed":2147483647}}';
  assert.equal(convertRequest(text, conversion), expected);
  const bytes = new TextEncoder().encode(text);
  class Special extends Uint8Array {}
  const offset = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, 2 + bytes.length);
  for (const input of [
    bytes,
    Buffer.from(text),
    Special.from(bytes),
    offset,
    vm.runInNewContext("Uint8Array").from(bytes),
    bytes.buffer.slice(0),
    Uint8Array.from(bytes).buffer,
  ]) {
    const output = convertRequest(input, conversion);
    assert.equal(Object.getPrototypeOf(output), Uint8Array.prototype);
    assert.equal(new TextDecoder().decode(output), expected);
    assert.equal(output.byteLength, output.buffer.byteLength);
  }
  assert.deepEqual(convertRequest(JSON.parse(text), conversion), JSON.parse(expected));
});

test("neither input nor output is changed by later calls", () => {
  const input = Object.freeze(JSON.parse(text));
  const bytes = new TextEncoder().encode(text);
  const copy = bytes.slice();
  const first = convertRequest(bytes, conversion);
  const kept = first.slice();
  for (let i = 0; i < 50; i++) convertRequest(bytes, { from: "openai", to: "anthropic" });
  convertRequest(input, conversion);
  assert.deepEqual([bytes, first], [copy, kept]);
});

test("responses too", () => {
  const answer = {
    id: "1",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  };
  const target = { from: "openai", to: "gemini" };
  const converted = convertResponse(answer, target);
  assert.equal(converted.candidates[0].content.parts[0].text, "Hello");
  assert.deepEqual(JSON.parse(convertResponse(JSON.stringify(answer), target)), converted);
});

test("other values are refused as bodies", () => {
  for (const body of [undefined, null, 1, true, 1n, Symbol("s"), () => 1, new String("{}")]) {
    fails(() => convertRequest(body, conversion), "invalid_type");
  }
});

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────
test("instanceof holds across import and require, in both directions", () => {
  const required = createRequire(import.meta.url)("../../pkg/dist/index.cjs");
  assert.notEqual(required.ToolwireError, ToolwireError);
  for (const [ours, theirs] of [
    [toolwire, required],
    [required, toolwire],
  ]) {
    assert.throws(() => ours.fromOpenAI({}), theirs.ToolwireError);
  }
  class Mine extends ToolwireError {}
  assert.ok(new Mine("internal", "", "") instanceof ToolwireError);
  assert.ok(!(new ToolwireError("internal", "", "") instanceof Mine));
  for (const other of [undefined, null, {}, new Error("x"), "x"]) assert.ok(!(other instanceof ToolwireError));
});

test("the convenience getters of Google's SDK are ignored", () => {
  const response = {
    candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
    get text() {
      throw new Error("never read");
    },
    get functionCalls() {
      throw new Error("never read");
    },
  };
  const onWarning = () => assert.fail("warned");
  assert.equal(toolwire.fromGoogleGenAI(response, { onWarning }).text, "Hi");
  assert.equal(toolwire.fromGemini(response, { onWarning }).text, "Hi");
  assert.equal(toolwire.fromVertexAI(response, { onWarning }).text, "Hi");
  assert.equal(toolwire.convertResponse(response, { from: "gemini", to: "canonical", onWarning }).text, "Hi");
  const events = toolwire.readStream({ from: "vertexai", onWarning }).push(response);
  assert.deepEqual(events[1], { type: "textDelta", block: 0, text: "Hi" });
});

const throws = {
  enumerable: true,
  configurable: true,
  get() {
    throw new Error("gone");
  },
};

test("a field that is not modelled and cannot be read is reported, and the rest is converted", () => {
  const message = { role: "assistant", content: "Hi" };
  const response = { choices: [{ index: 0, message, finish_reason: "stop" }] };
  Object.defineProperty(response, "extra~/", throws);
  Object.defineProperty(message, "annotations", throws);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  message.more = proxy;
  for (const to of ["canonical", "openai", "anthropic"]) {
    const warnings = [];
    const onWarning = ({ code, path, message, lossy }) => warnings.push([code, path, message.slice(0, 50), lossy]);
    const converted = toolwire.convertResponse(response, { from: "openai", to, onWarning });
    assert.match(JSON.stringify(converted), /"Hi"/);
    assert.doesNotMatch(JSON.stringify(converted), /gone|revoked|annotations/);
    assert.deepEqual(
      warnings.filter(([, , text]) => text.startsWith("reading this value")),
      [
        ["field_dropped", "/extra~0~1", "reading this value threw an error: gone", true],
        ["field_dropped", "/choices/0/message/annotations", "reading this value threw an error: gone", true],
        ["field_dropped", "/choices/0/message/more", "reading this value threw an error: Cannot perform ", true],
      ],
    );
  }
  const strict = { from: "openai", to: "anthropic", lossy: "error" };
  assert.throws(() => toolwire.convertResponse(response, strict), { code: "lossy" });
});

test("a field that is modelled and cannot be read is an error", () => {
  const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };
  const message = { role: "assistant", content: "Hi", tool_calls: [call] };
  const whole = () => structuredClone({ id: "c", choices: [{ index: 0, message, finish_reason: "stop" }] });
  const places = [
    ["/choices", (response) => response],
    ["/choices/0/message", (response) => response.choices[0]],
    ["/choices/0/message/content", (response) => response.choices[0].message],
    [
      "/choices/0/message/tool_calls/0/function/arguments",
      (response) => response.choices[0].message.tool_calls[0].function,
    ],
  ];
  for (const [path, place] of places) {
    const response = whole();
    Object.defineProperty(place(response), path.slice(path.lastIndexOf("/") + 1), throws);
    const expected = { code: "unreadable", path, message: `${path}: reading this value threw an error: gone` };
    assert.throws(() => toolwire.fromOpenAI(response), expected);
  }
  const result = Object.defineProperty({ role: "tool", toolCallId: "1", name: "f", kind: "data" }, "value", throws);
  const request = {
    messages: [{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "f", arguments: {} }] }, result],
  };
  const expected = { code: "unreadable", path: "/messages/1/value" };
  for (const to of ["openai", "anthropic", "gemini", "ollama", "canonical"])
    assert.throws(() => toolwire.convertRequest(request, { from: "canonical", to }), expected, to);
  const tool = Object.defineProperty({ name: "f" }, "parameters", throws);
  assert.throws(() => toolwire.toAnthropicTools([tool]), { code: "unreadable", path: "/0/parameters" });
});

// ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────
test("toolResult turns the output of a tool into a message", () => {
  const call = { id: "1", name: "f", arguments: {} };
  const made = (value) => {
    const { kind, value: content, ...rest } = toolResult(call, value);
    assert.deepEqual(rest, { role: "tool", toolCallId: "1", name: "f" });
    return [kind, content];
  };
  const data = { a: [1] };
  assert.deepEqual(made("sunny"), ["text", "sunny"]);
  assert.deepEqual(made(""), ["text", ""]);
  assert.deepEqual(made(undefined), ["text", ""]);
  assert.deepEqual(made(new TypeError("no such city")), ["error", "no such city"]);
  assert.deepEqual(made(new RangeError()), ["error", "RangeError"]);
  assert.deepEqual(made(new Error("long ".repeat(1000))), ["error", "long ".repeat(1000)]);
  assert.deepEqual(made(vm.runInNewContext("new Error('elsewhere')")), ["error", "elsewhere"]);
  assert.deepEqual(made(null), ["data", null]);
  assert.deepEqual(made(0), ["data", 0]);
  assert.equal(made(data)[1], data);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.equal(made(proxy)[0], "data");
});

test("toolResult accepts invalid calls and refuses other values", () => {
  const invalid = { id: "1", name: "f", rawArguments: "{", error: "cut off" };
  assert.equal(toolResult(invalid, "x").toolCallId, "1");
  fails(() => toolResult(undefined, "x"), "invalid_type");
  fails(() => toolResult({ name: "f" }, "x"), "missing_field");
  fails(() => toolResult({ id: 1, name: "f" }, "x"), "invalid_type");
});

test("Google's own fields of generationConfig are in the config of its SDK", () => {
  const generationConfig = { mediaResolution: "MEDIA_RESOLUTION_LOW", responseModalities: ["TEXT"] };
  const request = { ...warned, metadata: { google: { generationConfig } } };
  const { result, warnings } = withWarnings((onWarning) => toolwire.toGoogleGenAI(request, { onWarning }));
  assert.deepEqual(result.config, { seed: 1, ...generationConfig });
  assert.deepEqual(warnings, []);
});
