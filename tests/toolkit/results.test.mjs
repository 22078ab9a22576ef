// Return values of tools as results.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, errorOf, multimodal, ToolError, Toolkit } from "./support/toolkit.mjs";

async function executed(output, policy = {}) {
  const tool = { name: "give", execute: typeof output === "function" ? output : () => output, ...policy };
  const [execution] = await new Toolkit([tool]).run([callOf("give", {}, "c")]);
  return execution;
}

async function resultOf(output, policy) {
  const { toolCallId, name, ...result } = (await executed(output, policy)).result;
  assert.deepEqual([toolCallId, name], ["c", "give"]);
  return result;
}

const cyclic = { deep: {} };
cyclic.deep.self = cyclic;

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]);

const outputs = {
  "a string": ["text", "text", "text"],
  "a number": [5, "data", 5],
  null: [null, "data", null],
  false: [false, "data", false],
  undefined: [undefined, "text", ""],
  "an array": [[1, "a"], "data", [1, "a"]],
  "an object with undefined": [{ a: 1, b: undefined }, "data", { a: 1 }],
  "a date": [new Date(0), "data", "1970-01-01T00:00:00.000Z"],
  "a map": [new Map([["a", new Set([1])]]), "data", { a: [1] }],
  "an object without a prototype": [Object.assign(Object.create(null), { a: 1 }), "data", { a: 1 }],
  "an own __proto__": [JSON.parse('{"__proto__":{"a":1}}'), "data", JSON.parse('{"__proto__":{"a":1}}')],
  "a tagged text": [{ kind: "text", value: "x" }, "text", "x"],
  "a tagged value": [{ kind: "data", value: { a: 1 } }, "data", { a: 1 }],
  "an object that only looks tagged": [{ kind: "text", value: 5 }, "data", { kind: "text", value: 5 }],
  "an object with more fields": [{ kind: "text", value: "x", id: 1 }, "data", { kind: "text", value: "x", id: 1 }],
  "multimodal blocks": [multimodal([{ type: "text", text: "a" }]), "multimodal", [{ type: "text", text: "a" }]],
  "UTF-8 bytes": [new TextEncoder().encode("héllo"), "text", "héllo"],
  "bytes of a picture": [
    png,
    "multimodal",
    [{ type: "image", source: { type: "base64", data: "iVBORw0KGgr/" }, mediaType: "image/png" }],
  ],
  "a blob": [
    new Blob([png], { type: "audio/ogg" }),
    "multimodal",
    [{ type: "audio", source: { type: "base64", data: "iVBORw0KGgr/" }, mediaType: "audio/ogg" }],
  ],
  "a response of JSON": [() => Response.json({ a: 1 }), "data", { a: 1 }],
  "a response of text": [() => new Response("hello"), "text", "hello"],
  "a CallToolResult of text": [{ content: [{ type: "text", text: "a" }] }, "text", "a"],
  "a CallToolResult with structured content": [
    { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } },
    "data",
    { a: 1 },
  ],
  "a CallToolResult with media": [
    {
      content: [
        { type: "text", text: "a" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "b" } },
        { type: "resource_link", uri: "https://x/y.pdf", name: "y", mimeType: "application/pdf" },
      ],
    },
    "multimodal",
    [
      { type: "text", text: "a" },
      { type: "image", source: { type: "base64", data: "AAAA" }, mediaType: "image/png" },
      { type: "document", source: { type: "text", data: "b" }, mediaType: "text/plain", name: "file:///a.txt" },
      { type: "document", source: { type: "url", url: "https://x/y.pdf" }, mediaType: "application/pdf", name: "y" },
    ],
  ],
};
for (const [what, [output, kind, value]] of Object.entries(outputs)) {
  test(`${what} becomes ${kind}`, async () => assert.deepEqual(await resultOf(output), { kind, value }));
}

const unfit = {
  "a cycle": [cyclic, /\/deep\/self contains itself/],
  "a BigInt": [{ a: [1n] }, /\/a\/0 is a bigint/],
  "a function": [{ f: () => 1 }, /\/f is a function/],
  "a number that is not finite": [{ a: Number.NaN }, /\/a is NaN/],
  "a symbol": [() => Symbol("x"), /is a symbol/],
  "a map with other keys": [new Map([[1, 2]]), /map/],
  "binary data inside": [{ a: png }, /\/a is binary/],
  "a stream": [() => new Response("text").body, /it is a stream/],
  "a stream inside": [{ a: new Response("text").body }, /\/a is a stream/],
  "an iterator": [() => new Map([["a", 1]]).values(), /it is a stream or an iterator/],
  "search parameters": [() => new URLSearchParams("a=1"), /was not read/],
  "a getter that throws": [
    {
      get a() {
        throw new Error("secret");
      },
    },
    /can't be read/,
  ],
};
for (const [what, [output, message]] of Object.entries(unfit)) {
  test(`${what} is an invalid_output`, async () => {
    const execution = await executed(typeof output === "function" ? output : () => output);
    assert.equal(errorOf(execution).error_type, "invalid_output");
    assert.match(errorOf(execution).error, message);
    assert.doesNotMatch(JSON.stringify(execution.result), /secret/);
  });
}

test("the same object twice is not a cycle", async () => {
  const shared = { a: 1 };
  assert.deepEqual(await resultOf([shared, shared]), { kind: "data", value: [shared, shared] });
});

const failures = {
  "a returned Error": [new RangeError("too far"), { error: "too far", error_type: "RangeError" }],
  "a returned ToolError": [new ToolError("no", { type: "x" }), { error: "no", error_type: "x" }],
  "a CallToolResult with isError": [
    { content: [{ type: "text", text: "broken" }], isError: true },
    { error: "broken", error_type: "tool_error" },
  ],
  "a response with an error status": [
    () => new Response("no such page", { status: 404, statusText: "Not Found" }),
    { error: "HTTP status 404 Not Found: no such page", error_type: "http_error" },
  ],
  "a tagged error object": [
    { kind: "data", isError: true, value: { error: "e", error_type: "t" } },
    { error: "e", error_type: "t" },
  ],
};
for (const [what, [output, value]] of Object.entries(failures)) {
  test(`${what} is a failure`, async () => {
    const execution = await executed(output);
    assert.deepEqual(errorOf(execution), value);
    assert.deepEqual([execution.result.kind, execution.result.isError], ["data", true]);
    assert.deepEqual([execution.error.type, execution.error.message], [value.error_type, value.error]);
  });
}

test("a tagged error is used as it is", async () => {
  const execution = await executed({ kind: "error", value: "no luck" });
  assert.equal(execution.status, "failed");
  assert.deepEqual([execution.result.kind, execution.result.value], ["error", "no luck"]);
});

test("an error with media keeps them", async () => {
  const content = [{ type: "image", data: "AAAA", mimeType: "image/png" }];
  const { result, status } = await executed({ content, isError: true });
  assert.deepEqual(
    [status, result.kind, result.isError, result.value[0].type],
    ["failed", "multimodal", true, "image"],
  );
});

test("a generator yields progress, and returns its result", async () => {
  async function* counting() {
    yield 1;
    yield 2;
    return "three";
  }
  async function* lastOne() {
    yield { percent: 50 };
    yield { percent: 100 };
  }
  const toolkit = new Toolkit([
    { name: "counting", execute: counting },
    { name: "last_one", execute: lastOne },
  ]);
  const progress = [];
  const stream = toolkit.stream([callOf("counting"), callOf("last_one")]);
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) {
    if (step.value.type === "toolProgress") progress.push([step.value.call.name, step.value.value]);
  }
  assert.deepEqual(
    progress.filter(([name]) => name === "counting"),
    [
      ["counting", 1],
      ["counting", 2],
    ],
  );
  assert.deepEqual(
    step.value.map(({ result }) => result.value),
    ["three", { percent: 100 }],
  );
});

test("a synchronous generator, and the promise of a generator, are generators too", async () => {
  function* sync() {
    yield 1;
    return "sync";
  }
  async function* async() {
    yield 2;
    return "async";
  }
  const toolkit = new Toolkit([
    { name: "sync", execute: sync },
    { name: "promised", execute: async () => async() },
    { name: "promised_sync", execute: async () => sync() },
  ]);
  const progress = [];
  const stream = toolkit.stream(["sync", "promised", "promised_sync"].map((name) => callOf(name)));
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) {
    if (step.value.type === "toolProgress") progress.push(step.value.value);
  }
  assert.deepEqual(progress.sort(), [1, 1, 2]);
  assert.deepEqual(
    step.value.map(({ result }) => result.value),
    ["sync", "async", "sync"],
  );
});

test("results over the limit keep head and tail, and state how much is missing", async () => {
  const long = `start ${"😀".repeat(5000)} end`;
  const { kind, value } = await resultOf(long, { maxResultLength: 1000 });
  assert.equal(kind, "text");
  assert.ok(value.length <= 1000 && value.length > 900, `${value.length}`);
  assert.match(value, /^start 😀/);
  assert.match(value, /😀 end$/);
  assert.match(value, /characters were left out/);
  assert.equal(value, value.toWellFormed?.() ?? value);
  const data = await resultOf({ items: Array(5000).fill("item") }, { maxResultLength: 500 });
  assert.equal(data.kind, "text");
  assert.match(data.value, /^\{"items":\["item"/);
  const error = await executed(new Error("x".repeat(5000)), { maxResultLength: 500 });
  assert.ok(errorOf(error).error.length <= 500);
  assert.equal(errorOf(error).error_type, "Error");
  const blocks = [
    { type: "image", source: { type: "base64", data: "A".repeat(9000) }, mediaType: "image/png" },
    { type: "text", text: "y".repeat(3000) },
  ];
  const { value: cut } = await resultOf(multimodal(blocks), { maxResultLength: 400 });
  assert.deepEqual(cut[0], blocks[0]);
  assert.ok(cut[1].text.length <= 400);
  assert.ok((await resultOf("z".repeat(60_000))).value.length <= 50_000);
});

test("toResult decides what the model sees; the output stays what the tool returned", async () => {
  const output = { rows: [1, 2, 3] };
  const execution = await executed(output, { toResult: ({ rows }) => `${rows.length} rows` });
  assert.equal(execution.result.value, "3 rows");
  assert.equal(execution.output, output);
});

test("results are checked against outputSchema", async () => {
  const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  assert.equal((await executed({ n: 1 }, { outputSchema })).status, "done");
  const { error, error_type } = errorOf(await executed({ n: "secret" }, { outputSchema }));
  assert.equal(error_type, "invalid_output");
  assert.doesNotMatch(error, /secret/);
});
