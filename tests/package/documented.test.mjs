// Every export of the entry points, and every member of its declaration, has a doc comment.

import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript-5";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { root } from "../../scripts/lib/run.mjs";

const entries = ["index.d.ts", "text/index.d.ts", "toolkit/index.d.ts", "gateway/index.d.ts"].map(
  (name) => `${root}/pkg/dist/${name}`,
);
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
});
const checker = program.getTypeChecker();

const target = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
const exportsOf = (file) =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file))).map(target);
const isDocumented = (symbol) =>
  symbol.getDocumentationComment(checker).length > 0 || symbol.getJsDocTags(checker).length > 0;
const isOurs = (symbol) => symbol.declarations.some((one) => one.getSourceFile().fileName.includes("/pkg/dist/"));

for (const file of entries) {
  const [, name] = file.split("/pkg/dist/");
  test(`every export of ${name} has a doc comment`, () => {
    const exported = exportsOf(file).filter(isOurs);
    assert.ok(exported.length > 10);
    const missing = exported.filter((symbol) => !isDocumented(symbol)).map((symbol) => symbol.name);
    assert.deepEqual(missing, []);
  });
}

test("the types of a provider's requests, responses and tools link to its documentation", () => {
  const providers = dialects.flatMap(({ suffix }) => suffix ?? []);
  assert.ok(providers.length > 8);
  const module = checker.getSymbolAtLocation(program.getSourceFile(entries[0]));
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  for (const name of providers.flatMap((provider) => [
    `${provider}Request`,
    `${provider}Response`,
    `${provider}Tools`,
  ])) {
    const tags = exported.get(name).getJsDocTags(checker);
    const links = tags.filter((tag) => tag.name === "see").map(({ text }) => ts.displayPartsToString(text));
    assert.ok(
      links.some((link) => /:\/\/\S+\.\S+/.test(link)),
      name,
    );
  }
});
