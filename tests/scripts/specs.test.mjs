// The functions behind `npm run check:specs`, with small descriptions of the test's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { closedSchema } from "../../scripts/specs/close.mjs";
import { openAPIComponents } from "../../scripts/specs/descriptions.mjs";
import { withDeviations } from "../../scripts/specs/deviations.mjs";
import { componentsOfDiscovery } from "../../scripts/specs/discovery.mjs";
import { complaints } from "../../scripts/specs/explain.mjs";
import { areOf, isOfProvider, withoutOwn } from "../../scripts/specs/own.mjs";

/** `value → ["path: problem"]` by the component `Root`. */
function checker(components) {
  const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(
    closedSchema(components, "Root"),
  );
  return (value) => {
    const lines = validate(value) ? [] : complaints(validate.errors);
    return lines.map(({ path, problem }) => `${path}: ${problem}`);
  };
}

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const string = { type: "string" };

test("unknown fields are denied at every level, but where others are invited", () => {
  const check = checker({
    Root: {
      type: "object",
      properties: { inner: ref("Inner"), list: { type: "array", items: ref("Inner") }, free: { type: "object" } },
    },
    Inner: { type: "object", properties: { a: string } },
  });
  assert.deepEqual(check({ inner: { a: "" }, list: [{ a: "" }], free: { any: 1 } }), []);
  assert.deepEqual(check({ x: 1 }), [": unknown field x"]);
  assert.deepEqual(check({ inner: { x: 1 } }), ["/inner: unknown field x"]);
  assert.deepEqual(check({ list: [{}, { x: 1 }] }), ["/list/1: unknown field x"]);
});

test("schemas that describe one object together are closed together", () => {
  const check = checker({
    Root: { allOf: [ref("Base"), { type: "object", properties: { b: string, base: ref("Base") } }] },
    Base: { type: "object", required: ["a"], properties: { a: string } },
  });
  assert.deepEqual(check({ a: "", b: "", base: { a: "" } }), []);
  assert.deepEqual(check({ b: "" }), [": field a is missing"]);
  assert.deepEqual(check({ a: "", c: "" }), [": unknown field c"]);
  assert.deepEqual(check({ a: "", base: { a: "", b: "" } }), ["/base: unknown field b"]);
});

test("of a union the branch that was meant complains", () => {
  const branch = (type, fields) => ({
    type: "object",
    required: ["type"],
    properties: { type: { const: type }, ...fields },
  });
  const check = checker({
    Root: { oneOf: [string, ref("Text"), { oneOf: [ref("Image"), { type: "null" }] }] },
    Text: branch("text", { text: string }),
    Image: branch("image", { url: string, size: { type: "integer", nullable: true } }),
  });
  assert.deepEqual(check("text"), []);
  assert.deepEqual(check(null), []);
  assert.deepEqual(check({ type: "image", size: null }), []);
  assert.deepEqual(check({ type: "text", text: 1 }), ["/text: must be string: 1"]);
  assert.deepEqual(check({ type: "image", text: "" }), [": unknown field text"]);
  assert.deepEqual(check({ type: "video" }), ['/type: "video" is not one of ["text","image"]']);
  assert.equal(check(1).length, 1);
});

test("branches that share a type, omit it or are combined are distinguished as far as possible", () => {
  const branch = (type, required, fields) => ({ type: "object", required, properties: { type, ...fields } });
  const check = checker({
    Root: { oneOf: [ref("Easy"), ref("Message"), ref("Call"), ref("Result")] },
    Easy: branch({ enum: ["message"] }, ["role"], { role: { enum: ["user"] }, text: string }),
    Message: branch({ enum: ["message"] }, ["type", "role", "id"], { role: { enum: ["assistant"] }, id: string }),
    Call: branch({ anyOf: [{ const: "call" }, { type: "null" }] }, ["name"], { name: string }),
    Result: { allOf: [branch({ const: "result" }, ["type"], {}), { type: "object", properties: { of: string } }] },
  });
  for (const good of [{ role: "user" }, { name: "f" }, { type: null, name: "f" }, { type: "result", of: "" }])
    assert.deepEqual(check(good), []);
  assert.deepEqual(check({ type: "message", role: "assistant" }), [": field id is missing"]);
  assert.deepEqual(check({ type: "message", role: "user", id: "" }), [": unknown field id"]);
  assert.deepEqual(check({ type: "call", name: 1 }), ["/name: must be string: 1"]);
  assert.deepEqual(check({ type: "result", x: 1 }), [": unknown field x"]);
});

test("an unknown keyword is an error, not ignored", () => {
  assert.throws(() => closedSchema({ Root: { type: "object", dependencies: {} } }, "Root"), /dependencies/);
});

test("a component that refers to itself without its name", () => {
  const filters = { type: "array", items: { oneOf: [string, { $recursiveRef: "#" }] } };
  const Filter = { $recursiveAnchor: true, type: "object", properties: { filters } };
  const check = checker(openAPIComponents({ components: { schemas: { Root: ref("Filter"), Filter } } }));
  assert.deepEqual(check({ filters: ["a", { filters: [] }] }), []);
  assert.deepEqual(check({ filters: ["a", { x: 1 }] }), ["/filters/1: unknown field x"]);
});

test("a discovery document's schemas", () => {
  const check = checker(
    componentsOfDiscovery({
      schemas: {
        Root: {
          type: "object",
          properties: {
            name: { type: "string", description: "Required. The name." },
            mode: { type: "string", enum: ["A"] },
            any: { type: "any" },
            map: { type: "object", additionalProperties: { type: "any" } },
            child: { $ref: "Root" },
          },
        },
      },
    }),
  );
  assert.deepEqual(check({ name: "n", mode: "A", any: [1], map: { x: {} }, child: { name: "c" } }), []);
  assert.deepEqual(check({ name: "n", mode: "B" }), ['/mode: "B" is not one of ["A"]']);
  assert.deepEqual(check({ name: "n", child: { x: 1 } }).sort(), [
    "/child: field name is missing",
    "/child: unknown field x",
  ]);
});

test("deviations change a copy, and have to fit", () => {
  const components = { Root: { type: "object", properties: { a: { type: "string", enum: ["x"] } } } };
  const changed = withDeviations(components, [
    { where: "Root", change: { properties: { b: string } } },
    { where: "Root/properties/a", change: { values: ["y"] } },
  ]);
  assert.deepEqual(checker(changed)({ a: "y", b: "" }), []);
  assert.equal(checker(components)({ a: "y", b: "" }).length, 2);
  const open = checker(withDeviations(components, [{ where: "Root", change: { open: true } }]));
  assert.deepEqual(open({ a: "x", b: 1 }), []);
  const orNull = checker(withDeviations(components, [{ where: "Root/properties/a", change: { orNull: true } }]));
  assert.deepEqual(orNull({ a: null }), []);
  assert.equal(orNull({ a: "y" }).length, 1);
  assert.throws(() => withDeviations(components, [{ where: "Rot", change: { values: [] } }]), /no such schema/);
  assert.throws(() => withDeviations(components, [{ where: "Root", change: { component: {} } }]), /is there by now/);
});

test("a provider's own state is taken out, everybody else's stays", () => {
  const canonical = {
    messages: [
      {
        role: "user",
        content: [{ type: "native", provider: "google", value: 1 }],
        metadata: { google: {}, openai: {}, mine: 1 },
      },
    ],
    toolChoice: { provider: "google", native: {} },
  };
  assert.deepEqual(withoutOwn(canonical, "gemini"), {
    messages: [{ role: "user", content: [], metadata: { openai: {}, mine: 1 } }],
  });
  assert.deepEqual(withoutOwn(canonical, "anthropic"), canonical);
});

test("violations that the input already has are excused for its own provider only", () => {
  assert.ok(isOfProvider("openai", "openai-responses"));
  assert.ok(!isOfProvider("anthropic", "openai-responses"));
  assert.ok(!isOfProvider("canonical", "openai-responses"));
  const unknown = (path, field) => ({ path, problem: `unknown field ${field}`, rule: `additionalProperties ${field}` });
  assert.ok(areOf([unknown("/a", "x")], [unknown("", "y"), unknown("/a", "x")]));
  assert.ok(areOf([unknown("/a/2", "x")], [unknown("/a/10", "x")]));
  assert.ok(!areOf([unknown("/a", "x")], [unknown("/a", "y"), unknown("/b", "x")]));
  const word = (problem) => ({ path: "/type", problem, rule: "enum " });
  assert.ok(areOf([word('"v" is not one of ["a"]')], [word('"v" is not one of ["b"]')]));
});
