// Colours of code in TypeScript and Rust.

import { h } from "../page/dom.ts";

const syntax =
  /(\/\/.*)|("(?:[^"\\]|\\.)*"|`[^`]*`)|\b(import|from|const|declare|for|await|of|if|use|fn|let|in|as)\b(?!:)|([A-Za-z_]\w*!?)(?=\()/g;
const classes = ["comment", "string", "keyword", "call"];

export function coloured(text: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const match of text.matchAll(syntax)) {
    const name = classes.find((_, index) => match[index + 1] !== undefined);
    parts.push(text.slice(at, match.index), h("span", { class: `ts-${name}` }, match[0]));
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)];
}
