// JSON and server-sent events in CodeMirror: their colours and brackets.

import {
  bidiIsolates,
  bracketMatching,
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from "@codemirror/language";
import { Decoration } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parser } from "./parser.ts";

const language = new Language(defineLanguageFacet(), parser);

const colours = HighlightStyle.define([
  { tag: tags.propertyName, class: "cm-key" },
  { tag: tags.string, class: "cm-string" },
  { tag: tags.atom, class: "cm-atom" },
  { tag: tags.labelName, class: "cm-field" },
  { tag: tags.punctuation, class: "cm-quiet" },
]);

/** For text that is shown. */
export const highlighting = [language, syntaxHighlighting(colours), bidiIsolates()];

const matchingBracket = Decoration.mark({ class: "cm-matchingBracket" });

/** For text that is edited. Brackets in strings have no other half, which is no mistake. */
export const brackets = bracketMatching({
  brackets: "{}[]",
  renderMatch: ({ start, end, matched }) =>
    matched && end ? [start, end].map(({ from, to }) => matchingBracket.range(from, to)) : [],
});
