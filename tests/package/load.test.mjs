import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { esm, folder, openAIBody, request } from "./support/package.mjs";

const require = createRequire(import.meta.url);
const imported = await import(esm);
const loaded = {
  imported,
  "imported by Node": await import(new URL("node.js", esm).href),
  required: require(`${folder}/dist/index.cjs`),
};

for (const [how, toolwire] of Object.entries(loaded)) {
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

test("all of them export the same names", () => {
  const names = (module) => Object.keys(module).filter((name) => name !== "default" && name !== "module.exports");
  for (const toolwire of Object.values(loaded)) assert.deepEqual(names(toolwire).sort(), names(imported).sort());
});

test("functions keep the number of their parameters", () => {
  assert.equal(imported.toOpenAI.length, 2);
});
