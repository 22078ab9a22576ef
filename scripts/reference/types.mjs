// Reads the functions and the options of the entry points from the built types.

import { join } from "node:path";
import ts from "typescript-5";
import { root } from "../lib/run.mjs";

/** Entry point → its types in pkg/dist. A name is listed at the first entry point that exports it. */
const entries = {
  toolwire: "index.d.ts",
  "toolwire/toolkit": "toolkit/index.d.ts",
  "toolwire/text": "text/index.d.ts",
  "toolwire/gateway": "gateway/index.d.ts",
  "toolwire/gateway/node": "gateway/serve.d.ts",
};

/** Interfaces that a program writes as a literal to configure something. */
const isOptions =
  /(?:Options|(?<!Tool|Generation)Config|Limits|Target|Conversion|Hooks|Upstream|Route|RouteCondition|ToolFilter|ToolPolicy|GatewayClient)$/;

/**
 * `[{ entry, functions: [{ name, signature, about }], options: [{ name, about, members: [{ name, type, about }] }] }]`. `about` is the doc
 * comment, as one paragraph.
 */
export function readEntries() {
  const files = Object.values(entries).map((file) => join(root, "pkg/dist", file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    types: ["node"],
    paths: { toolwire: [files[0]] },
  });
  const checker = program.getTypeChecker();
  const seen = new Set();
  return Object.keys(entries).map((entry, index) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(files[index]));
    const exported = checker.getExportsOfModule(module).filter(({ name }) => !seen.has(name));
    for (const { name } of exported) seen.add(name);
    const symbols = exported.map((symbol) => ({ name: symbol.name, symbol: resolved(checker, symbol) }));
    const callable = symbols.filter(({ symbol }) => symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class));
    const named = symbols.filter(({ name, symbol }) => symbol.flags & ts.SymbolFlags.Interface && isOptions.test(name));
    return {
      entry,
      functions: callable.map((one) => functionOf(checker, one)).sort(byName),
      options: named.map((one) => optionsOf(checker, one)),
    };
  });
}

const resolved = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
const byName = (a, b) => (a.name < b.name ? -1 : 1);

/** A doc comment in one paragraph, without examples and tags. */
const aboutOf = (checker, symbol) =>
  ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/```[\s\S]*/, "")
    .replaceAll(/\{@link ([^}]*)\}/g, "`$1`")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();

/** A function with the names of its parameters, or a class with those of its methods. */
function functionOf(checker, { name, symbol }) {
  const about = aboutOf(checker, symbol);
  if (symbol.flags & ts.SymbolFlags.Class) return { name, signature: `class ${name}`, about };
  const declaration = symbol.declarations.find(ts.isFunctionDeclaration);
  const names = declaration.parameters.map(({ name, questionToken }) => name.getText() + (questionToken ? "?" : ""));
  return { name, signature: `${name}(${names.join(", ")})`, about };
}

function optionsOf(checker, { name, symbol }) {
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  return {
    name,
    about: aboutOf(checker, symbol),
    members: members.map((member) => ({
      name: member.name,
      type: typeOf(checker, member),
      about: aboutOf(checker, member),
    })),
  };
}

/** The type as it is declared, without `undefined`; long ones are cut. */
function typeOf(checker, member) {
  const [declaration] = member.declarations;
  const values = literalsOf(checker.getNonNullableType(checker.getTypeOfSymbol(member)));
  if (values) return values;
  const written = ts.isMethodSignature(declaration)
    ? checker.typeToString(checker.getTypeOfSymbol(member))
    : (declaration.type?.getText() ?? "unknown");
  const plain = written
    .replaceAll(/\s+/g, " ")
    .replace(/ \| undefined$/, "")
    .replace(/^\((.*)\)$/, "$1");
  return plain.length > 70 ? `${plain.slice(0, 66)} …` : plain;
}

/** The values of a union of texts, if they fit a cell. */
function literalsOf(type) {
  const parts = type.isUnion() ? type.types : [type];
  if (!parts.every((part) => part.isStringLiteral())) return undefined;
  const text = parts.map(({ value }) => JSON.stringify(value)).join(" | ");
  return text.length > 70 ? undefined : text;
}
