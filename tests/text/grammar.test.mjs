// Grammars, in wasm: the vectors that the crate's own tests read too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { schemaGrammar, toolGrammar } from "../../pkg/dist/text/index.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/text/${name}.json`, import.meta.url), "utf8"));

test("grammars are as in the vectors", () => {
  for (const { name, tools, schema, options, grammar, warnings = [] } of vectors("grammars-written")) {
    const made = schema === undefined ? toolGrammar(tools, options) : schemaGrammar(schema, options);
    assert.deepEqual(made.grammar, grammar, name);
    assert.deepEqual(
      made.warnings.map(({ path }) => path),
      warnings,
      name,
    );
  }
});

test("the syntax is returned with the grammar of calls", () => {
  const { syntax } = toolGrammar([{ name: "f" }], { syntax: "lark", format: "json" });
  assert.equal(syntax, "lark");
});

test("mistakes are errors with a path", () => {
  const tools = [{ name: "f", parameters: { type: "object" } }];
  const mistakes = [
    [{ syntax: "bnf", format: "json" }, "/syntax"],
    [{ syntax: "gbnf", format: "nope" }, "/format"],
    [{ syntax: "gbnf", format: "json", toolChoice: { name: "g" } }, "/toolChoice/name"],
    [{ syntax: "jsonSchema", format: "qwen3_xml" }, "/format"],
  ];
  for (const [options, path] of mistakes) {
    assert.throws(() => toolGrammar(tools, options), { name: "ToolwireError", path }, JSON.stringify(options));
  }
  assert.throws(() => toolGrammar([], { syntax: "gbnf", format: "json", toolChoice: "required" }), {
    path: "/toolChoice",
  });
  assert.throws(() => schemaGrammar(false, { syntax: "gbnf" }), { name: "ToolwireError", path: "" });
});
