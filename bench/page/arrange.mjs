// The order of the page: users' questions first. The project's own targets are left out; the command prints them. It is derived from the texts of the sections only, so that the page
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

const titleOf = (text) => /^### (.*)$/m.exec(text)[1];
const questionOf = (title) => QUESTIONS.find(([, titles]) => titles.includes(title)) ?? QUESTIONS[0];
const place = (titles, title) => (titles.includes(title) ? titles.indexOf(title) : titles.length);

/** The page, from its introduction and its sections, which start with `### title`. */
export function arrange(head, measured) {
  const sections = measured.map(withoutTargets);
  const parts = QUESTIONS.flatMap((question) => {
    const titles = question === QUESTIONS[0] ? FIRST : question[1];
    const own = sections.filter((text) => questionOf(titleOf(text)) === question);
    own.sort((a, b) => place(titles, titleOf(a)) - place(titles, titleOf(b)));
    return own.length > 0 ? [`## ${question[0]}`, ...own] : [];
  });
  const tables = sections.flatMap((text) => tablesOf(text).map((table) => ({ section: titleOf(text), ...table })));
  return `${[head, answers(tables), ...parts].join("\n\n")}\n`;
}

/** The introduction and the sections of a page, without the parts that `arrange` adds. */
export function taken(page) {
  const [head, ...rest] = page.trimEnd().split(/\n\n(?=###? )/);
  return [head, rest.filter((text) => text.startsWith("### "))];
}

const cellsOf = (line) => line.split(/(?<!\\)\|/).slice(1, -1);

/** A section whose tables have neither the columns of targets nor those that state whether they are met. */
function withoutTargets(section) {
  let dropped = [];
  let isTable = false;
  const lines = section.split("\n").map((line) => {
    if (!line.startsWith("|")) {
      isTable = false;
      return line;
    }
    const cells = cellsOf(line);
    if (!isTable) dropped = targetColumns(cells.map((cell) => cell.trim()));
    isTable = true;
    return dropped.length === 0 ? line : `|${cells.filter((_, index) => !dropped.includes(index)).join("|")}|`;
  });
  return lines.join("\n");
}

/** The columns of targets, each with the one after it if that has no name. */
function targetColumns(names) {
  const isTarget = (name) => name?.startsWith("target") ?? false;
  return names.flatMap((name, index) => (isTarget(name) || (name === "" && isTarget(names[index - 1])) ? [index] : []));
}
