// What becomes of the bodies in the vectors when they are converted from one format to another.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { byNumber } from "../quirks/proofs.mjs";
import { vectorFiles } from "../vectors/files.mjs";
import { githubAnchor } from "./anchors.mjs";

const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** What the repository contains about conversions, read once for all pages. */
export function readFacts() {
  const files = vectorFiles();
  return {
    files,
    topics: Object.values(readJson("tests/topics.json")).reduce((all, rows) => Object.assign(all, rows), {}),
    quirks: readJson("tests/quirks.json"),
    proofs: byNumber(files.map(({ name, cases }) => ({ file: name, cases }))),
    cases: new Map(files.flatMap(({ cases }) => cases.map((one) => [one.name, one]))),
  };
}

const kinds = { request: "convertRequest", response: "convertResponse" };

/** The sections of a page, as Markdown. */
export function findingsOf({ from, to }, toolwire, facts) {
  const outcomes = facts.files.flatMap(({ name, cases }) =>
    cases.flatMap((one) =>
      bodiesOf(one, from.name).map((body) => ({ topic: name, ...outcomeOf(one, body, from, to, toolwire) })),
    ),
  );
  return {
    topics: topicTable(outcomes, facts.topics),
    changes: changeTable(outcomes),
    errors: errorTable(outcomes),
    quirks: quirkList(from, to, facts),
  };
}

/** The bodies of a case in a format which the package reads. */
function bodiesOf(one, dialect) {
  if (!kinds[one.kind]) return [];
  const read = ["both", "reads"].flatMap((key) => one[key]?.[dialect] ?? []).filter(({ error }) => !error);
  const converted = (one.convert ?? []).filter(({ from, error }) => from === dialect && !error);
  return [...read, ...converted].flatMap(({ body }) => (body === undefined ? [] : [body]));
}

function outcomeOf({ kind, options }, body, from, to, toolwire) {
  const warnings = [];
  const settings = {
    ...options,
    from: from.name,
    to: to.name,
    lossy: "allow",
    bookkeeping: true,
    onWarning: (warning) => warnings.push(warning),
  };
  try {
    toolwire[kinds[kind]](body, settings);
    return { kind, warnings };
  } catch (error) {
    return { kind, warnings, error };
  }
}

const isLossless = ({ error, warnings }) => !error && !warnings.some(({ lossy }) => lossy);

function topicTable(outcomes, topics) {
  const rows = Object.entries(grouped(outcomes, ({ topic }) => topic));
  const lines = rows
    .filter(([, bodies]) => bodies.some(isLossless))
    .map(
      ([topic, bodies]) =>
        `| ${topics[topic] ?? `${topic}: whole bodies`} | ${bodies.filter(isLossless).length} of ${bodies.length} | [${topic}](../tests/vectors/${topic}.json) |`,
    );
  const whole = outcomes.filter(isLossless).length;
  return `Of the ${outcomes.length} requests and responses in [the vectors](../tests/vectors/README.md) in this format, ${whole} lose nothing. By topic:

| topic | without loss | vectors |
|---|--:|---|
${lines.join("\n")}`;
}

/** A change that several bodies have is one row. Fields that exist in tests only, such as `/x`, are left out. */
function changeTable(outcomes) {
  const changes = outcomes.flatMap(({ kind, warnings }) =>
    warnings.map((warning) => ({ kind, ...warning, field: fieldOf(warning.path) })),
  );
  const real = changes.filter(({ field }) => !/^\/?\w$/.test(field));
  const rows = Object.entries(
    grouped(real, ({ kind, code, level, message }) => JSON.stringify([kind, code, level, general(message)])),
  );
  const lines = rows
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([key, found]) => {
      const [kind, code, level, message] = JSON.parse(key);
      const fields = [...new Set(found.map(({ field }) => field))].sort();
      const shown = fields.slice(0, 12).map((field) => `\`${field}\``);
      const more = fields.length > 12 ? `, and ${fields.length - 12} more` : "";
      return `| ${kind} | ${shown.join(", ")}${more} | ${message} | [\`${code}\`](codes.md#${code}) | ${level} |`;
    });
  if (lines.length === 0) return "Nothing in the vectors.";
  return `\`*\` is any index. Each is reported as a warning with this code, and the path of what was changed. Those of the level
\`bookkeeping\` are reported with the option \`bookkeeping\` only.

| body | field | what happens | code | level |
|---|---|---|---|---|
${lines.join("\n")}`;
}

/** The errors that are about the target, not about invalid bodies. */
function errorTable(outcomes) {
  const errors = outcomes.filter(({ error }) =>
    ["unsupported", "response_failed", "missing_result"].includes(error?.code),
  );
  const rows = grouped(errors, ({ kind, error }) =>
    JSON.stringify([kind, error.code, general(error.message.replace(/^\S*: /, ""))]),
  );
  const lines = Object.keys(rows).map((key) => {
    const [kind, code, message] = JSON.parse(key);
    return `| ${kind} | ${message} | [\`${code}\`](codes.md#${code}) |`;
  });
  return lines.length === 0
    ? "Nothing in the vectors, except bodies that are invalid in their own format."
    : `| body | why | code |\n|---|---|---|\n${lines.join("\n")}`;
}

/** The quirks with a vector that reads the one format and writes the other. */
function quirkList(from, to, { quirks, proofs, cases }) {
  const concerns = ({ name }) => {
    const { both = {}, reads = {}, writes = {}, convert = [] } = cases.get(name) ?? {};
    const isRead = from.name in both || from.name in reads;
    const isWritten = to.name in both || to.name in writes;
    return (isRead && isWritten) || convert.some((one) => one.from === from.name && one.to === to.name);
  };
  const lines = Object.entries(quirks).flatMap(([section, rows]) =>
    Object.entries(rows)
      .filter(([number, { does, refuses }]) => (does ?? refuses) && (proofs.get(number) ?? []).some(concerns))
      .map(([number, { about }]) => `- [${number}](quirks.md#${githubAnchor(section)}): ${about}`),
  );
  return lines.length === 0 ? "None of its own: see [all quirks](quirks.md)." : lines.join("\n");
}

/** The last two parts of a path, with `*` for indices. */
const fieldOf = (path) => {
  const parts = path.split("/").map((part) => (/^\d+$/.test(part) ? "*" : part));
  return parts.length > 3 ? `…/${parts.slice(-2).join("/")}` : parts.join("/") || "/";
};

/** A message without what is particular to one body. */
const general = (message) =>
  message
    .replaceAll(/ \([^)]*\)$/g, "")
    .replaceAll(/"[^"]*"/g, "`…`")
    .replaceAll(/\btw_\w+/g, "`tw_…`")
    .replaceAll(/\b\d{4,5}\b(?!-)/g, "*N*")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;");

function grouped(items, keyOf) {
  const groups = {};
  for (const item of items) {
    const key = keyOf(item);
    groups[key] = groups[key] ?? [];
    groups[key].push(item);
  }
  return groups;
}
