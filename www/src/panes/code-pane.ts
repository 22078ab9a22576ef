// Shows the code, with a button to copy it.

import { copyButton } from "../page/clipboard.ts";
import { codeOf } from "../page/code.ts";
import { h, icon, part } from "../page/dom.ts";

const syntax =
  /(\/\/.*)|("(?:[^"\\]|\\.)*"|`[^`]*`)|\b(import|from|const|declare|for|await|of|if)\b(?!:)|([A-Za-z_]\w*)(?=\()/g;
const classes = ["comment", "string", "keyword", "call"];

export function buildCodePane(): { show(shown: Parameters<typeof codeOf>[0]): void } {
  let text = "";
  const code = h("code", {});
  const button = copyButton("the code", () => text);
  const title = h("h3", {}, "The same in TypeScript");
  part("code").append(
    h(
      "details",
      { open: true },
      h("summary", {}, title, icon("chevron")),
      h("pre", { tabindex: 0, "aria-label": "TypeScript" }, code),
      button,
    ),
  );
  return {
    show(shown) {
      const next = codeOf(shown);
      if (next === text) return;
      text = next;
      code.replaceChildren(...coloured(text));
    },
  };
}

function coloured(text: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const match of text.matchAll(syntax)) {
    const name = classes.find((_, index) => match[index + 1] !== undefined);
    parts.push(text.slice(at, match.index), h("span", { class: `ts-${name}` }, match[0]));
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)];
}
