// The order of the page: users' questions first, missed targets last. It is derived from the texts of the sections only, so that the page
// can be arranged again after some of them were measured.

import { answers } from "./answers.mjs";
import { tablesOf } from "./read.mjs";

/** The questions, and the sections that answer them. A section that is not listed belongs to the first question. */
const QUESTIONS = [
  ["How fast", []],
  ["How large", ["Size", "Memory", "Memory of streams"]],
  ["How it scales", ["By size", "Growth"]],
  ["Compared with whom", ["Peers"]],
  ["Where time and size go", ["Where the time goes", "Code"]],
];
const FIRST = ["bytes → bytes", "string → string", "object → object", "Streams", "Cold start"];
const MISSED = "MISSED";

const titleOf = (text) => /^### (.*)$/m.exec(text)[1];
const questionOf = (title) => QUESTIONS.find(([, titles]) => titles.includes(title)) ?? QUESTIONS[0];
const place = (titles, title) => (titles.includes(title) ? titles.indexOf(title) : titles.length);

/** The page, from its introduction and its sections, which start with `### title`. */
export function arrange(head, sections) {
  const parts = QUESTIONS.flatMap((question) => {
    const titles = question === QUESTIONS[0] ? FIRST : question[1];
    const own = sections.filter((text) => questionOf(titleOf(text)) === question);
    own.sort((a, b) => place(titles, titleOf(a)) - place(titles, titleOf(b)));
    return own.length > 0 ? [`## ${question[0]}`, ...own] : [];
  });
  const tables = sections.flatMap((text) => tablesOf(text).map((table) => ({ section: titleOf(text), ...table })));
  return `${[head, answers(tables), ...parts, missed(tables)].join("\n\n")}\n`;
}

/** The introduction and the sections of a page, without the parts that `arrange` adds. */
export function taken(page) {
  const [head, ...rest] = page.trimEnd().split(/\n\n(?=###? )/);
  return [head, rest.filter((text) => text.startsWith("### "))];
}

/** Every missed target, in the order of the page. */
function missed(tables) {
  const withTargets = tables.filter(({ columns }) => columns.some((column) => column.startsWith("target")));
  const rows = withTargets.flatMap((table) =>
    table.rows.filter((row) => row.at(-1) === MISSED).map((row) => missedRow(table, row)),
  );
  const all = withTargets.flatMap(({ rows }) => rows.filter((row) => ["met", MISSED].includes(row.at(-1)))).length;
  const lines = ["| what | measured | target |", "| --- | ---: | ---: |", ...rows];
  return ["## Missed targets", `${rows.length} of ${all} targets are missed.`, lines.join("\n")].join("\n\n");
}

function missedRow({ section, title, columns }, row) {
  const target = columns.findIndex((column) => column.startsWith("target"));
  const what = [section, title].filter((name, index) => index === 1 || !title.startsWith(name));
  return `| ${[...what, row[0]].join(", ")} | ${measuredBy(columns, row, target)} | ${row[target]} |`;
}

/** The cell with the measurement for a target. */
function measuredBy(columns, row, target) {
  if (row[target].startsWith("gzip")) return row[columns.indexOf("gzip")];
  if (columns[target].includes("ours")) return row[columns.indexOf("ours")];
  if (row[target].endsWith("µs")) return `${row[columns.indexOf("ours, µs")]} µs`;
  return row.slice(1, target).findLast((cell) => cell !== "");
}
