// The package's package.json, from the template, Cargo.toml and project.json.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { cargoField } from "./facts.mjs";

export const manifestSources = ["pkg-template/package.json", "Cargo.toml", "project.json"];

const json = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** The project's repository and authors. Empty fields are undecided and are not published. */
export function projectFields() {
  return Object.fromEntries(Object.entries(json("project.json")).filter(([, value]) => value !== ""));
}

/** npm does not publish a package that is `private`. */
export function manifest({ private: isPrivate }) {
  const facts = { version: cargoField("version"), description: cargoField("description") };
  const filled = {
    ...json("pkg-template/package.json"),
    ...facts,
    ...projectFields(),
    ...(isPrivate && { private: true }),
  };
  return `${JSON.stringify(filled, undefined, 2)}\n`;
}
