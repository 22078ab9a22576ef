import assert from "node:assert/strict";
import { test } from "node:test";
import { esm, openAIBody, request, requirePackage } from "./support/package.mjs";

const imported = await import(esm);
const required = requirePackage();

for (const [how, toolwire] of Object.entries({ imported, required })) {
  test(`${how}: the first call needs no init`, () => {
    assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
  });

  test(`${how}: errors are of the exported class`, () => {
    assert.throws(
      () => toolwire.toOpenAI(7),
      (error) => {
        assert.ok(error instanceof toolwire.ToolwireError);
        assert.ok(error instanceof Error);
        assert.equal(error.name, "ToolwireError");
        assert.equal(error.constructor.name, "ToolwireError");
        assert.equal(typeof error.code, "string");
        assert.equal(error.path, "");
        return true;
      },
    );
  });
}

test("import and require export the same names", () => {
  const names = (module) => Object.keys(module).filter((name) => name !== "default" && name !== "module.exports");
  assert.deepEqual(names(required).sort(), names(imported).sort());
});

test("functions keep the number of their parameters", () => {
  assert.equal(imported.toOpenAI.length, 2);
});
