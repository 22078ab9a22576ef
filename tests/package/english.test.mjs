// Published texts are in plain English, with one term for each concept: pages, doc comments of the types, warnings and errors.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { root } from "../../scripts/lib/run.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";

/** Forbidden words, and their replacements. */
const words = [
  [/\b(?:told|tells?|telling)\b/i, "report, state, emit"],
  [/\b(?:hears?|heard)\b/i, "receive"],
  [/\banswer(?:s|ed|ing)?\b/i, "response, respond"],
  [/\b(?:say|says|said|saying)\b/i, "state, contain, mean"],
  [/\b(?:stands?|stood|standing)\b/i, "be, have, occur"],
  [/\b(?:nobody|whoever|whatsoever)\b/i, "name who"],
  [/\bno JSON(?! Schema| value)\b/i, "not JSON"],
  [/(?<!\b(?:there|that|which|this) )\b(?:is|are|was|were) no (?!longer\b|more\b)/i, "is not a"],
  [
    /\b(?:mere|merely|anew|heeds?|rides?|wholly|shall|unmistakabl[ey]|afresh|hence|lest)\b/i,
    "leave out, or use a plain word",
  ],
  [
    /\b(?:tak(?:es?|ing)|hold(?:s|ing)?|giv(?:es?|ing)|mak(?:es?|ing)|lead(?:s|ing)?) no(?:ne|thing|where)?\b/i,
    "does not accept, contain, return",
  ],
  [/\bdemand(?:s|ed|ing)?\b/i, "require"],
  [/\bexcludes? each other\b/i, "can't be combined"],
  [/\b(?:bears?|bore|bid(?:s|den)?|begets?|befalls?|ought)\b/i, "have, must"],
  [/\bknows? (?:no|of no|nothing)\b/i, "does not support, does not have"],
  [
    /\ba text or (?:an? )?(?:object|array|bytes|number|list)\b|\b(?:object|number|array), a text\b|\b[Aa] text: /,
    "a string",
  ],
  [/\bof nobody's\b|\bno one's\b|\bnot also\b|\bwhat is called\b|\bin the open\b/i, "state it directly"],
];

const read = (file) => readFileSync(`${root}/${file}`, "utf8");

/** The lines of a text with forbidden words. */
function findings(file, text) {
  return text.split("\n").flatMap((line, index) =>
    words.flatMap(([word, instead]) => {
      const found = word.exec(line);
      return found ? [`${file}:${index + 1}: "${found[0].trim()}" (${instead}): ${line.trim().slice(0, 120)}`] : [];
    }),
  );
}

const blank = (text) => text.replaceAll(/[^\n]/g, " ");

/** A page without code, addresses and quoted texts. */
const prose = (page) =>
  page
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)]*\)|<https?:[^>]*>/g, blank);

/** The doc comments of a declaration file, without code. */
const comments = (types) =>
  types
    .replaceAll(/\/\*\*[\s\S]*?\*\/|[^\n]/g, (part) => (part.startsWith("/**") ? part : " "))
    .replaceAll(/```[\s\S]*?```/g, blank)
    .replaceAll(/`[^`\n]*`|@see .*/g, blank);

/**
 * The string literals of a source file with a space or an initial capital: messages, labels. Skips comments, tests and code between
 * backquotes.
 */
const messages = (source) =>
  source
    .replace(/#\[cfg\(test\)\]\nmod tests \{[\s\S]*/, "")
    .split("\n")
    .map((line) =>
      /^\s*(?:\/\/|\*|\/\*)/.test(line)
        ? ""
        : (line.replace(/\bclass: "[^"]*"/, "").match(/"(?:[^"\\]|\\.)*"/g) ?? [])
            .filter((text) => / |^"[A-Z][a-z]+"/.test(text))
            .join(" "),
    )
    .join("\n")
    .replaceAll(/`[^`\n]*`|\{\w*\}/g, blank);

/** These files have the texts that models write, in formats of their own. */
const modelFormats = /^src\/text\/(?:formats|write\/markers\.rs)/;

/** The visible texts of an HTML page: between elements, and in attributes. */
const shown = (html) =>
  html.replaceAll(/<[^>]*>/g, (tag) =>
    tag.replaceAll(/(?:content|title|alt|aria-label|placeholder)="[^"]*"|[^\n]/g, (part) =>
      part.length > 1 ? part : " ",
    ),
  );

test("pages", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "pkg-template/AGENTS.md",
    ".github/pull_request_template.md",
    "tests/vectors/README.md",
    ...filesBelow(["docs"]),
  ];
  const found = pages
    .filter((file) => file.endsWith(".md") && existsSync(`${root}/${file}`))
    .flatMap((file) => findings(file, prose(read(file))));
  assert.deepEqual(found, []);
});

/** The words that begin a condition. */
const condition = /\b(?:if|unless|when|whenever|where|while|except|as long as|otherwise|until|whether)\b/gi;

test("no sentence of a page has more than two conditions", () => {
  const pages = ["README.md", "SECURITY.md", "CONTRIBUTING.md", ...filesBelow(["docs"])].filter((file) =>
    file.endsWith(".md"),
  );
  const sentences = pages.flatMap((file) =>
    prose(read(file))
      .split(/\n\s*\n|\n(?=- )|\|/)
      .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.:;!?]) /))
      .map((sentence) => ({ file, sentence, count: sentence.match(condition)?.length ?? 0 })),
  );
  assert.ok(sentences.some(({ count }) => count === 2));
  assert.deepEqual(
    sentences.filter(({ count }) => count > 2).map(({ file, sentence }) => `${file}: ${sentence.trim()}`),
    [],
  );
});

test("doc comments of the published types", () => {
  const types = readdirSync(`${root}/pkg/dist`, { recursive: true }).filter((name) => name.endsWith(".d.ts"));
  assert.ok(types.includes("index.d.ts"));
  assert.deepEqual(
    types.flatMap((name) => findings(name, comments(read(`pkg/dist/${name}`)))),
    [],
  );
});

test("warnings, errors, texts for models, and what the command, the examples and the playground show", () => {
  const sources = filesBelow(["src", "pkg-template", "examples", "www"]).filter(
    (file) => /\.(?:rs|ts|js)$/.test(file) && !/tests?[/.]|_tests\.rs$/.test(file) && !modelFormats.test(file),
  );
  assert.ok(sources.length > 200);
  assert.deepEqual(
    sources.flatMap((file) => findings(file, messages(read(file)))),
    [],
  );
});

test("the playground's page", () => {
  assert.deepEqual(findings("www/index.html", shown(read("www/index.html"))), []);
});
