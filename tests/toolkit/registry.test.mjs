// The part of the registry in JavaScript: checks at the registration of a tool, and recovery from a trap.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, parametersSchema, repairJson, Toolkit, ToolkitError, tool } from "./support/toolkit.mjs";

const search = tool({
  name: "search",
  title: "Search",
  description: "Finds pages.",
  category: "web",
  costPerUse: 2,
  parameters: [{ name: "query", type: "string", description: "What to look for" }],
  execute: ({ query }) => query.length,
});
const erase = { name: "erase", description: "Deletes everything.", category: "files", dangerous: true };

test("register, get, names, categories, definitions, unregister", () => {
  const toolkit = new Toolkit([search]).register(erase);
  assert.equal(toolkit.get("search"), search);
  assert.deepEqual(toolkit.categories().sort(), ["files", "web"]);
  assert.deepEqual(toolkit.names({ excludeDangerous: false }), ["search", "erase"]);
  assert.deepEqual(toolkit.names({ maxCostPerUse: 1, excludeDangerous: false }), ["erase"]);
  const [definition] = toolkit.definitions({ names: ["search"] });
  assert.deepEqual([definition.name, definition.description], ["search", "Finds pages."]);
  assert.deepEqual(definition.parameters, parametersSchema(search.parameters));
  assert.equal(toolkit.unregister("search"), true);
  assert.equal(toolkit.unregister("search"), false);
  assert.equal(toolkit.get("search"), undefined);
});

test("mistakes of the programmer are errors that state what is wrong, and where", () => {
  const cases = [
    [{ name: "search" }, "duplicate_tool"],
    [{ name: "" }, "invalid_name"],
    [{ name: "a", parameters: { type: "nothing" } }, "invalid_schema"],
    [{ name: "a", execute: "code" }, "invalid_options"],
    [{ name: "a", timeoutMs: 0 }, "invalid_options"],
    [{ name: "a", maxRetries: 1.5 }, "invalid_options"],
    [{ name: "a", timeoutMs: "100" }, "invalid_options"],
    [{ name: "a", onRateLimit: "queue" }, "invalid_options"],
    [{ name: "a", needsApproval: "yes" }, "invalid_options"],
    [{ name: "a", requiresAuth: "yes" }, "invalid_options"],
    [{ name: "a", memoryLimitMb: -1 }, "invalid_options"],
    [{ name: "a", parallel: "no" }, "invalid_options"],
    [{ name: "a", idempotent: 0 }, "invalid_options"],
    [{ name: "a", toResult: {} }, "invalid_options"],
    [{ name: "a", dangerous: "yes" }, "invalid_options"],
    [undefined, "invalid_options"],
  ];
  for (const [added, code] of cases) {
    const toolkit = new Toolkit([search]);
    assert.throws(
      () => toolkit.register(added),
      (error) => error instanceof ToolkitError && error.code === code && error.message.length > 10,
      code,
    );
    assert.equal(toolkit.get("search"), search);
  }
  const options = {
    ...{ concurrency: 0, coerce: "yes", clamp: 1, repairJson: "no", now: 5 },
    ...{ authorize: true, around: {}, repairCall: 1, formatError: "x", onLateResult: [] },
  };
  for (const [name, value] of Object.entries(options)) {
    assert.throws(() => new Toolkit([], { [name]: value }), { code: "invalid_options", path: `/${name}` });
  }
  assert.throws(() => new Toolkit({ search }), { code: "invalid_options", path: "/tools" });
});

test("mistakes in the call of run are no error results, which a model would see", async () => {
  let ran = 0;
  const toolkit = new Toolkit([{ ...search, execute: () => ++ran }]);
  const calls = [callOf("search", { query: "a" })];
  const cases = [
    [undefined, {}, "/calls"],
    [[...calls, null], {}, "/calls/1"],
    [[{ name: "search", arguments: {} }], {}, "/calls/0"],
    [[{ id: "c", arguments: {} }], {}, "/calls/0"],
    [calls, { filter: { names: "search" } }, "/names"],
    [calls, { filter: { category: ["web"] } }, "/category"],
    [calls, { timeoutMs: Number.NaN }, "/timeoutMs"],
    [calls, { maxCost: "5" }, "/maxCost"],
    [calls, { approve: true }, "/approve"],
    [calls, { sessionId: 7 }, "/sessionId"],
  ];
  for (const [given, options, path] of cases) {
    await assert.rejects(toolkit.run(given, options), { name: "ToolkitError", code: "invalid_options", path });
    await assert.rejects(toolkit.stream(given, options).next(), { code: "invalid_options", path });
  }
  assert.equal(ran, 0);
  const [late] = await toolkit.run(calls, { timeoutMs: 0 });
  assert.deepEqual([late.error.type, ran], ["timeout", 0]);
});

test("override replaces a tool", async () => {
  const toolkit = new Toolkit([search]);
  toolkit.register({ name: "search", execute: () => "new" }, { override: true });
  assert.equal((await toolkit.run([callOf("search")]))[0].output, "new");
});

test("check runs nothing", async () => {
  let ran = 0;
  const toolkit = new Toolkit([{ ...search, execute: () => ran++ }]);
  const { call, problems, changes } = await toolkit.check(callOf("search", { query: 5 }, "c"));
  assert.deepEqual([call.arguments, problems], [{ query: "5" }, []]);
  assert.equal(changes.length, 1);
  assert.equal((await toolkit.check(callOf("search"))).problems[0].code, "missing");
  assert.equal(ran, 0);
});

test("after a trap the tools are registered again in a fresh instance", async () => {
  const { Instance } = WebAssembly;
  let instances = 0;
  let trap = () => {};
  WebAssembly.Instance = class {
    constructor(...args) {
      instances++;
      const { exports } = new Instance(...args);
      const called = (...given) => trap() ?? exports.toolkitcore_names(...given);
      this.exports = { ...exports, toolkitcore_names: called };
    }
  };
  try {
    const fresh = await import("../../pkg/dist/toolkit/index.js?trap");
    const toolkit = new fresh.Toolkit([search]);
    assert.deepEqual(toolkit.names(), ["search"]);
    for (const death of [
      new WebAssembly.RuntimeError("unreachable"),
      new RangeError("Maximum call stack size exceeded"),
    ]) {
      trap = () => {
        throw death;
      };
      assert.throws(
        () => toolkit.names(),
        (error) => error instanceof fresh.ToolkitError && error.code === "internal" && error.cause === death,
      );
      trap = () => {};
      assert.deepEqual(toolkit.names(), ["search"]);
      assert.equal((await toolkit.run([callOf("search", { query: "abc" })]))[0].output, 3);
    }
    assert.equal(instances, 3);
  } finally {
    WebAssembly.Instance = Instance;
  }
});

test("a value of another type in the place of a string is an error, and the rate limits stay", async () => {
  const toolkit = new Toolkit([{ ...search, rateLimit: { calls: 1, perMs: 1e6 } }]);
  await toolkit.run([callOf("search", { query: "abc" })]);
  const before = toolkit.rateLimits();
  for (const [call, received] of [
    [() => toolkit.unregister(5), "number"],
    [() => toolkit.unregister(null), "null"],
    [() => repairJson({}), "object"],
    [() => repairJson(undefined), "undefined"],
  ]) {
    assert.throws(call, {
      name: "ToolkitError",
      code: "invalid_options",
      message: `expected a string, received ${received}`,
    });
  }
  assert.deepEqual(toolkit.names(), ["search"]);
  assert.deepEqual(toolkit.rateLimits(), before);
});
