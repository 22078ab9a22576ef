// A single schema, converted for each target.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { esm } from "./support/package.mjs";

const toolwire = await import(esm);
const targets = dialects.flatMap(({ suffix }) => suffix ?? []);
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

test("each target has a function, which leaves its input alone", () => {
  const before = structuredClone(schema);
  for (const target of targets) {
    const written = toolwire[`to${target}Schema`](schema);
    assert.deepEqual(written.properties, schema.properties, target);
    assert.deepEqual(schema, before, target);
  }
});

test("a schema converted on its own equals that of a tool and of a format", () => {
  const loose = {
    properties: { a: { const: 1 }, b: { $ref: "#/$defs/b" } },
    $defs: { b: { type: "string", minLength: 1 } },
  };
  for (const options of [{}, { geminiSchema: "openapi" }]) {
    for (const target of ["Gemini", "VertexAI"]) {
      const [{ functionDeclarations }] = toolwire[`to${target}Tools`]([{ name: "f", parameters: loose }], options);
      const { parameters, parametersJsonSchema } = functionDeclarations[0];
      assert.deepEqual(toolwire[`to${target}Schema`](loose, options), parametersJsonSchema ?? parameters);
    }
  }
  for (const strict of [false, true]) {
    const [{ function: tool }] = toolwire.toOpenAITools([{ name: "f", parameters: loose, strict }]);
    assert.deepEqual(toolwire.toOpenAISchema(loose, { strict }), tool.parameters);
    const responseFormat = { type: "jsonSchema", name: "n", schema: loose, strict };
    const { response_format } = toolwire.toOpenAI({ messages: [{ role: "user", content: "Hi" }], responseFormat });
    assert.deepEqual(toolwire.toOpenAISchema(loose, { strict, for: "format" }), response_format.json_schema.schema);
  }
});

test("options and warnings", () => {
  const codes = [];
  const onWarning = ({ code, path }) => codes.push([code, path]);
  toolwire.toOpenAISchema({ type: "object", additionalProperties: { type: "string" } }, { strict: true, onWarning });
  assert.deepEqual(codes, [["strict_dropped", ""]]);
  assert.throws(() => toolwire.toOpenAISchema(schema, { for: "fun" }), { code: "invalid_value", path: "/options/for" });
  assert.throws(() => toolwire.toOpenAISchema("string"), { code: "invalid_type", path: "" });
});
