// Copies the documents that the README links to into the package.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root } from "../lib/run.mjs";
import { filesBelow } from "../lib/stamps.mjs";

/** Files and folders of the repository, under the same paths in the package. */
export const documents = [
  ...[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
  ],
  ...["docs", "examples/driver", "examples/gateway"],
];

const link = /\[((?:`[^`]*`|[^[\]`])*)\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;

/** The relative links of a Markdown text, with paths from the root of the repository: `{ link, label, path }`. */
export function relativeLinks(text, file) {
  return [...text.matchAll(link)]
    .filter(([, , target]) => !/^[a-z]+:/.test(target))
    .map(([link, label, target]) => ({ link, label, path: posix.join(posix.dirname(file), target) }));
}

/** Replaces links to files that are not published (tests, scripts) by their text. */
export function withoutDeadLinks(text, file, files) {
  const dead = relativeLinks(text, file).filter(({ path }) => !files.includes(path));
  return dead.reduce((text, { link, label }) => text.replaceAll(link, label), text);
}

export function copyDocuments(folder) {
  const files = filesBelow(documents);
  for (const file of files) {
    const [from, to] = [join(root, file), join(folder, file)];
    mkdirSync(dirname(to), { recursive: true });
    if (file.endsWith(".md")) writeFileSync(to, withoutDeadLinks(readFileSync(from, "utf8"), file, files));
    else cpSync(from, to);
  }
  // for coding agents that work on projects with the package, not on this one
  cpSync(join(root, "pkg-template/AGENTS.md"), join(folder, "AGENTS.md"));
}
