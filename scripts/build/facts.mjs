// What the package's command says of the package, from where it is decided.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { glueFolder } from "./wasm.mjs";

const folder = join(root, "build/generated");

export function generateFacts() {
  const types = readFileSync(join(root, glueFolder, "toolwire.d.ts"), "utf8");
  const dialects = types
    .match(/^export type Dialect = (.*);$/m)[1]
    .split(" | ")
    .map(JSON.parse);
  mkdirSync(folder, { recursive: true });
  const facts = { version: cargoField("version"), dialects };
  const lines = Object.entries(facts).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  writeFileSync(join(folder, "facts.js"), lines.join(""));
}

/** The crate and the package have one version and one description: Cargo.toml's. */
export function cargoField(field) {
  const cargo = readFileSync(join(root, "Cargo.toml"), "utf8");
  return cargo.match(new RegExp(`^${field} = "(.*)"$`, "m"))[1];
}
