// Language support for JSON and server-sent events: colours and brackets.

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

/** For text that can't be edited. */
export const highlighting = [language, syntaxHighlighting(colours), bidiIsolates()];

const matchingBracket = Decoration.mark({ class: "cm-matchingBracket" });

/** For text that can be edited. An unmatched bracket in a string is not marked as a mistake. */
export const brackets = bracketMatching({
  brackets: "{}[]",
  renderMatch: ({ start, end, matched }) =>
    matched && end ? [start, end].map(({ from, to }) => matchingBracket.range(from, to)) : [],
});
