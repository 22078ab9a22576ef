// Fenced code blocks of Markdown files and of the doc comments of declaration files.

import { readFileSync } from "node:fs";
import { root } from "../../../../scripts/lib/run.mjs";

/** The blocks of a text: `{ language, code, line }`, where `line` is the first line of the code. */
export function fencedBlocks(text) {
  const blocks = text.matchAll(
    /^(?<indent> *)(?<fence>`{3,})(?<language>\S*)\n(?<code>[\s\S]*?)^\k<indent>\k<fence>$/gm,
  );
  return [...blocks].map(({ index, groups: { indent, language, code } }) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    line: text.slice(0, index).split("\n").length + 1,
  }));
}

/**
 * The blocks of a Markdown file, each with its heading and its expected output, if the page shows it: in the next block, after a line "It
 * prints:".
 */
export function markdownBlocks(file) {
  const text = readFileSync(`${root}/${file}`, "utf8");
  const lines = text.split("\n");
  const blocks = fencedBlocks(text);
  return blocks.map((block, index) => ({
    ...block,
    file,
    about: lines
      .slice(0, block.line - 1)
      .findLast((line) => /^#+ /.test(line))
      ?.replace(/^#+ /, ""),
    prints: isPrinted(blocks[index + 1], block, lines) ? blocks[index + 1].code : undefined,
  }));
}

function isPrinted(next, block, lines) {
  if (next?.language !== "text") return false;
  const end = block.line + block.code.split("\n").length - 1;
  return lines.slice(end, next.line - 2).join("") === "It prints:";
}

/** The blocks of the doc comments of a declaration file, each with the name of the declaration. */
export function commentBlocks(file) {
  const text = readFileSync(`${root}/${file}`, "utf8");
  const blocks = [];
  for (const { 0: comment, index } of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const start = text.slice(0, index).split("\n").length - 1;
    const declared = text.slice(index + comment.length).match(/[\w$]+(?=[(:<]| extends| =| \{)/)?.[0];
    const content = comment.replaceAll(/^ *\*(?: |$)/gm, "");
    for (const block of fencedBlocks(content))
      blocks.push({ ...block, file, line: start + block.line, about: declared });
  }
  return blocks;
}

/** The complete programs of the guides: a driver, a stream reader, a gateway, a request. */
export function guidePrograms() {
  const programs = ["docs/guides/driver.md", "docs/guides/gateway-by-hand.md", "docs/streams.md"]
    .flatMap(markdownBlocks)
    .filter(({ language, code }) => language === "ts" && /^import /m.test(code));
  const having = (mark) => programs.find(({ code }) => code.includes(mark));
  return {
    driver: having("new OpenAI()"),
    stream: having("export async function print"),
    gateway: having("function handle"),
    request: having("const request: ChatRequest"),
  };
}
