// Which files of the repository are pages of the site, at which address, and in which order.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { filesBelow } from "../lib/stamps.mjs";

/**
 * The sections of the site. `first` lists the pages that come first; a section with a `folder` contains all of it, so that a new page needs
 * no entry here.
 */
export const sections = [
  { title: "Guides", folder: "docs/guides", first: ["driver", "coding-agents", "agent-in-ten-lines", "tools"] },
  { title: "Recipes", folder: "docs/recipes", first: [] },
  { title: "Tools and agents", folder: "docs/toolkit", first: ["running-calls", "agents"] },
  {
    title: "Reference",
    folder: "docs",
    first: [
      "format",
      "formats",
      "functions",
      "options",
      "command",
      "codes",
      "streams",
      "values",
      "models",
      "servers",
      "envelope",
    ],
    without: ["architecture", "glossary", "adding-a-dialect"],
  },
  { title: "Wire formats", folder: "docs/wire", first: ["README"] },
  {
    title: "The project",
    files: [
      ...["CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "docs/architecture.md"],
      ...["docs/glossary.md", "docs/adding-a-dialect.md", "tests/vectors/README.md", "tests/vectors/INDEX.md"],
    ],
  },
];

/** Addresses that do not follow from the path. */
const addresses = {
  "README.md": "/",
  "docs/wire/README.md": "/wire/",
  "tests/vectors/README.md": "/vectors/",
  "tests/vectors/INDEX.md": "/vectors/files",
};

/** The address of a page. */
export const addressOf = (file) =>
  addresses[file] ?? `/${file.replace(/^docs\//, "").replace(/\.md$/, "")}`.replace(/^\/([A-Z_]+)$/, lower);

const lower = (address) => address.toLowerCase().replaceAll("_", "-");

/** The files of a section, in order. */
function filesOf({ folder, files, first, without = [] }) {
  if (files) return filesBelow(files).sort((a, b) => files.indexOf(a) - files.indexOf(b));
  const name = (file) => file.slice(folder.length + 1, -".md".length);
  return filesBelow([folder])
    .filter((file) => file.endsWith(".md") && !name(file).includes("/") && !without.includes(name(file)))
    .sort((a, b) => rank(first, name(a)) - rank(first, name(b)));
}

const rank = (first, name) => (first.includes(name) ? first.indexOf(name) : first.length);

/** Lists of what was changed, measured or tested: they would be among the results of every search. */
const notSearched = ["CHANGELOG.md", "docs/performance.md", "tests/vectors/INDEX.md", "tests/vectors/README.md"];

/** `{ file, address, text, title, description, search }` of a file of the repository. */
export function pageOf(file) {
  const text = readFileSync(join(root, file), "utf8");
  return { file, address: addressOf(file), text, search: !notSearched.includes(file), ...headOf(text) };
}

/** The title of a text, and its first paragraph without marks. */
export function headOf(text) {
  const title = text.match(/^# (.*)$/m)?.[1] ?? "";
  const body = text.slice(text.indexOf(`# ${title}`) + title.length + 2);
  const paragraph = body.match(/\n\n(?![#|`<>\-*[ ])([^\n][\s\S]*?)(?=\n\n|$)/)?.[1] ?? title;
  const plain = paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|\s+/g, (mark) => (mark.trim() === "" ? " " : ""));
  return { title: title.replaceAll("`", ""), description: shortened(plain.trim()) };
}

/** The first sentence, and those after it as long as there are at most 200 characters. */
function shortened(text) {
  const [first = "", ...more] = text.replace(/:$/, ".").split(/(?<=\.) /);
  let shown = first;
  for (const sentence of more) {
    if (shown.length + sentence.length > 200) break;
    shown += ` ${sentence}`;
  }
  return shown;
}

/** `[{ title, pages }]`. */
export const contents = () =>
  sections.map((section) => ({ title: section.title, pages: filesOf(section).map(pageOf) }));
