// The entry point that does not load its wasm itself, imported and required; and the plain JavaScript of the edge entries.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { esm, folder, openAIBody, request } from "./support/package.mjs";

const module = new WebAssembly.Module(readFileSync(`${folder}/dist/toolwire.wasm`));
const slim = {
  imported: await import(new URL("slim.js", esm).href),
  required: createRequire(import.meta.url)(`${folder}/dist/slim.cjs`),
};

for (const [how, toolwire] of Object.entries(slim)) {
  test(`${how}: slim reports the missing module, and works once it has it`, () => {
    assert.throws(
      () => toolwire.toOpenAI(request),
      (error) => error instanceof toolwire.ToolwireError && /useModule/.test(error.message),
    );
    toolwire.useModule(module);
    assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
  });
}

test("slim exports everything that the package exports, and useModule", async () => {
  const names = [...Object.keys(await import(esm)), "useModule"].sort();
  assert.deepEqual(Object.keys(slim.imported).sort(), names);
});

for (const [entry, specifier] of [
  ["workerd", "./toolwire.wasm"],
  ["edge-light", "./toolwire.wasm?module"],
]) {
  test(`${entry} imports nothing but the wasm, and compiles nothing`, () => {
    const source = readFileSync(`${folder}/dist/${entry}.js`, "utf8");
    const imports = [...source.matchAll(/\b(?:from|import) ?"([^"]+)"/g)].map((found) => found[1]);
    assert.deepEqual(imports, [specifier]);
    assert.doesNotMatch(source, /new WebAssembly\.Module|\beval\b|new Function/);
  });
}
