// Generates the lists of the package that JavaScript uses, from where they are defined.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dialects } from "../lib/dialects.mjs";
import { root } from "../lib/run.mjs";
import { moduleNamed } from "./modules.mjs";

const folder = join(root, "build/generated");

const factsTypes = `export const version: string;
export const dialects: string[];
export const titles: Record<string, string>;
export const bases: Record<string, string>;
`;

const wordsTypes = `export const optionValues: Record<string, string[]>;
export const grammarSyntaxes: string[];
`;

export function generateFacts() {
  const types = typesOf("toolwire");
  mkdirSync(folder, { recursive: true });
  const facts = {
    version: cargoField("version"),
    dialects: dialects.map(({ name }) => name),
    titles: Object.fromEntries(dialects.map(({ name, title }) => [name, title])),
    /** For each variant, the dialect that it is a variant of. */
    bases: Object.fromEntries(dialects.filter(({ name, base }) => name !== base).map(({ name, base }) => [name, base])),
  };
  write("facts", facts, factsTypes);
  // a file of their own, because the playground's first view does not need them
  const grammarSyntaxes = wordsOf(typesOf("text"), "GrammarSyntax");
  write("option-words", { optionValues: optionValues(types), grammarSyntaxes }, wordsTypes);
}

function write(name, values, types) {
  const lines = Object.entries(values).map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`);
  writeFileSync(join(folder, `${name}.js`), lines.join(""));
  writeFileSync(join(folder, `${name}.d.ts`), types);
}

/** The types that wasm-bindgen generated for a module. */
function typesOf(name) {
  return readFileSync(join(root, moduleNamed(name).glue, `${name}.d.ts`), "utf8");
}

/** The words of a type that is a closed list; undefined for other types. */
function wordsOf(types, name) {
  const alias = types.match(new RegExp(`^export type ${name} = ("[^"]*"(?: \\| "[^"]*")*);$`, "m"));
  return alias?.[1].split(" | ").map(JSON.parse);
}

/** The words that an option takes, by its name. */
function optionValues(types) {
  const bodies = [...types.matchAll(/^export interface Options \{\n(.*?)^\}/gms)].map(([, body]) => body).join("");
  const fields = [...bodies.matchAll(/^ {4}(\w+)\?: (\w+);$/gm)].map(([, name, type]) => [name, wordsOf(types, type)]);
  return Object.fromEntries(fields.filter(([, words]) => words !== undefined));
}

/** The crate and the package have one version and one description: Cargo.toml's. */
export function cargoField(field) {
  const cargo = readFileSync(join(root, "Cargo.toml"), "utf8");
  return cargo.match(new RegExp(`^${field} = "(.*)"$`, "m"))[1];
}
