// Tools with a Standard Schema: the library validates first, then the JSON Schema coerces, then the library validates again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { callOf, errorOf, Toolkit } from "./support/toolkit.mjs";

const libraries = {
  zod: z.object({ city: z.string(), days: z.int().default(3) }),
  arktype: type({ city: "string", days: "number.integer = 3" }),
  valibot: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.pipe(v.number(), v.integer()), 3) })),
};

for (const [library, parameters] of Object.entries(libraries)) {
  const seen = [];
  const toolkit = new Toolkit([{ name: "forecast", parameters, execute: (args) => void seen.push(args) }]);

  test(`${library}: the definition has the JSON Schema`, () => {
    const [{ parameters }] = toolkit.definitions();
    assert.equal(parameters.properties.city.type, "string");
    assert.deepEqual(parameters.required, ["city"]);
  });

  test(`${library}: execute receives the library's output`, async () => {
    const [execution] = await toolkit.run([callOf("forecast", { city: "Bern" })]);
    assert.equal(execution.status, "done");
    assert.deepEqual(seen.pop(), { city: "Bern", days: 3 });
  });

  test(`${library}: rejected arguments are coerced, and validated again`, async () => {
    const [execution] = await toolkit.run([callOf("forecast", { city: "Bern", days: "5" })]);
    assert.equal(execution.status, "done");
    assert.deepEqual(seen.pop(), { city: "Bern", days: 5 });
    assert.deepEqual(execution.call.arguments, { city: "Bern", days: 5 });
    assert.deepEqual(
      execution.changes.map(({ path, to }) => [path, to]),
      [["/days", 5]],
    );
  });

  test(`${library}: arguments that can't be coerced are reported by path`, async () => {
    const [execution] = await toolkit.run([callOf("forecast", { city: 7, days: "many" })]);
    assert.equal(errorOf(execution).error_type, "invalid_arguments");
    assert.ok(execution.error.problems.some(({ path }) => path === "/days"));
    assert.equal(seen.length, 0);
  });

  test(`${library}: arguments that are no JSON are repaired before it sees them`, async () => {
    const call = { id: "c", name: "functions.forecast", rawArguments: "{city: 'Bern', days: 2,}", error: "not JSON" };
    const [execution] = await toolkit.run([call]);
    assert.equal(execution.status, "done");
    assert.deepEqual(seen.pop(), { city: "Bern", days: 2 });
  });
}

test("valid arguments are never coerced: the library validates first", async () => {
  const parameters = z.object({ id: z.union([z.string(), z.number()]) });
  const seen = [];
  const toolkit = new Toolkit([{ name: "find", parameters, execute: ({ id }) => void seen.push(id) }]);
  await toolkit.run([callOf("find", { id: 5 }), callOf("find", { id: "5" })]);
  assert.deepEqual(seen, [5, "5"]);
});

test("call.arguments and approve see JSON; execute and needsApproval see the output", async () => {
  const parameters = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) });
  const seen = [];
  const tool = {
    name: "remind",
    parameters,
    needsApproval: ({ at }) => at instanceof Date && seen.push("needsApproval") > 0,
    execute: ({ at }, { call }) => void seen.push(at.getTime(), call.arguments),
  };
  const approve = (call) => seen.push(call.arguments) > 0;
  await new Toolkit([tool]).run([callOf("remind", { at: "1970-01-01T00:00:01Z" })], { approve });
  const json = { at: "1970-01-01T00:00:01Z" };
  assert.deepEqual(seen, ["needsApproval", json, 1000, json]);
});

test("a schema may validate asynchronously, and its own rules are reported", async () => {
  const parameters = z.object({ user: z.string().refine(async (user) => user === "ann", "no such user") });
  const toolkit = new Toolkit([{ name: "greet", parameters, execute: ({ user }) => `hi ${user}` }]);
  const [good, bad] = await toolkit.run([callOf("greet", { user: "ann" }), callOf("greet", { user: "bob" })]);
  assert.equal(good.result.value, "hi ann");
  assert.match(errorOf(bad).error, /invalid_user: no such user/);
  assert.deepEqual(bad.error.problems, [{ code: "invalid", path: "/user", message: "invalid_user: no such user" }]);
});

test("paths of issues become JSON Pointers", async () => {
  const schema = (path) => ({
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({ issues: [{ message: "wrong", path }] }),
      jsonSchema: { input: () => ({ type: "object" }) },
    },
  });
  const problemOf = async (given) => {
    const toolkit = new Toolkit([{ name: "t", parameters: schema(given) }]);
    const { path, message } = (await toolkit.check(callOf("t"))).problems[0];
    return [path, message];
  };
  assert.deepEqual(await problemOf(["a", 0, { key: "b/c" }]), ["/a/0/b~1c", "invalid_a[0].b/c: wrong"]);
  assert.deepEqual(await problemOf(undefined), ["", "invalid_value: wrong"]);
});

test("a schema that throws is a problem of the call, not of the run", async () => {
  const parameters = z.object({ a: z.any().refine(() => JSON.parse("{")) });
  const toolkit = new Toolkit([{ name: "t", parameters, execute: () => 1 }]);
  const [execution] = await toolkit.run([callOf("t", { a: 1 })]);
  assert.equal(execution.status, "failed");
});

const unfit = {
  "a schema without JSON Schema": [v.object({ a: v.string() }), /toStandardJsonSchema/],
  "a date": [z.object({ a: z.date() }), /can't be represented/],
};
for (const [what, [parameters, message]] of Object.entries(unfit)) {
  test(`${what} is refused when the tool is registered`, () => {
    const register = () => new Toolkit([{ name: "t", parameters }]);
    assert.throws(register, { name: "ToolkitError", code: "invalid_schema", path: "/parameters", message });
  });
}
