import { createRequire } from "node:module";
import type { Plugin } from "vite";
import { titles } from "../../build/generated/facts.js";
// @ts-expect-error: the command has no types
import { indented, tokens } from "../../pkg-template/command/json-text.js";
import { firstExample, firstTarget } from "./first-example.ts";

interface Warning {
  code: string;
  path: string;
  message: string;
  lossy: boolean;
  dialect: string;
}

/** Puts the first example and its result into the page, so that they are seen before any code has run. */
export function firstView(): Plugin {
  return {
    name: "first-view",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const view = stills();
        return Object.entries(view).reduce(
          (text, [id, content]) =>
            text.replace(new RegExp(`(<(?:div|p) [^>]*id="${id}"[^>]*>)`), (tag) => tag + content),
          html,
        );
      },
    },
  };
}

/** The contents of the elements with these ids. */
function stills(): Record<string, string> {
  const warnings: Warning[] = [];
  const { convertRequest } = createRequire(import.meta.url)("../../pkg/dist/index.cjs");
  const { text, title, note } = firstExample;
  const conversion = {
    from: "openai",
    to: firstTarget,
    bookkeeping: true,
    onWarning: (warning: Warning) => warnings.push(warning),
  };
  const output: string = indented(convertRequest(text, conversion));
  return {
    about: `<p><strong>${escaped(title)}</strong> ${escaped(note)}</p>`,
    "source-editor": still(text),
    stage: `<article class="card whole"><div class="result-head"></div><div class="card-body">${still(output)}</div></article>`,
    findings: findings(warnings),
  };
}

/** Coloured lines with numbers, from the first call on, as the editors show them. The whole text is there. */
function still(text: string): string {
  const lines = coloured(text).split("\n");
  const first = Math.max(0, text.split("\n").findIndex((line) => /"(?:tool_calls|tool_use)"/.test(line)) - 3);
  const rows = lines.map((line, index) => `<li${index < first ? ' class="above"' : ""}>${line || " "}</li>`);
  return `<ol class="still">${rows.join("")}</ol>`;
}

function coloured(text: string): string {
  let html = "";
  let copied = 0;
  for (const [from, to] of tokens(text) as Iterable<[number, number]>) {
    const token = text.slice(from, to);
    const kind =
      token[0] === '"' ? (/^\s*:/.test(text.slice(to, to + 4)) ? "k" : "s") : /^[\w-]/.test(token) ? "a" : undefined;
    if (kind === undefined) continue;
    html += `${text.slice(copied, from)}<i class="${kind}">${escaped(token)}</i>`;
    copied = to;
  }
  return html + text.slice(copied);
}

function findings(warnings: Warning[]): string {
  const [losses, notes] = [warnings.filter(({ lossy }) => lossy), warnings.filter(({ lossy }) => !lossy)];
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  const summary = [...counted(losses.length, "loss", "losses"), ...counted(notes.length, "note", "notes")].join(" · ");
  const rows = [...losses, ...notes].map(({ code, path, message, lossy, dialect }) => {
    const words = message.charAt(0).toUpperCase() + message.slice(1);
    const shown = /^[a-z]+_/.test(message) ? message : words;
    return `<li><div class="finding ${lossy ? "lossy" : "note"}"><span class="icon"></span><p class="message">${escaped(shown).replaceAll(/`([^`]*)`/g, "<code>$1</code>")}</p><p class="where"><span class="path">${path || "added"}</span><span class="position">${titles[dialect]}</span><span class="code-name still-code">${code}</span></p></div></li>`;
  });
  return `<h3 class="findings-title">${summary}</h3><ol class="finding-list">${rows.join("")}</ol>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
