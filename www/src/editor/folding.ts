// Folds objects and arrays that span several lines.

import {
  codeFolding,
  ensureSyntaxTree,
  foldedRanges,
  foldGutter,
  foldKeymap,
  matchBrackets,
  unfoldEffect,
} from "@codemirror/language";
import type { Extension, StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { h, icon } from "../page/dom.ts";

interface Span {
  from: number;
  to: number;
}

/** Unfolds the ranges that touch the span and pass the test. */
export function unfold(view: EditorView, span: Span, isMeant: (range: Span) => boolean = () => true): void {
  const effects: StateEffect<Span>[] = [];
  foldedRanges(view.state).between(span.from, span.to, (from, to) => {
    if (isMeant({ from, to })) effects.push(unfoldEffect.of({ from, to }));
  });
  if (effects.length > 0) view.dispatch({ effects });
}

/** The maximum time for parsing, in milliseconds, as it blocks the page. Ranges in text that was not parsed are unfolded. */
const patience = 50;

/** Unfolds ranges that no longer end at their bracket, because the text has changed. */
export function unfoldChanged(view: EditorView): void {
  const { state } = view;
  const { length } = state.doc;
  if (foldedRanges(state).size > 0) ensureSyntaxTree(state, length, patience);
  unfold(view, { from: 0, to: length }, ({ from, to }) => matchBrackets(state, from - 1, 1)?.end?.from !== to);
}

/** A button, so that it can be focused. Pressing it with the keyboard moves the focus to the text; a click does not move the focus. */
function placeholder(view: EditorView): HTMLElement {
  const onclick = () => {
    const isFocused = document.activeElement === button;
    const at = view.posAtDOM(button);
    unfold(view, { from: at, to: at }, ({ from }) => from === at);
    if (isFocused) view.focus();
  };
  const onmousedown = (event: Event) => event.preventDefault();
  const names = { class: "cm-foldPlaceholder", title: "Unfold", "aria-label": "Unfold" };
  const button = h("button", { type: "button", onclick, onmousedown, ...names }, "…");
  return button;
}

/** Marks beside the lines that can be folded, and key bindings. */
export const folding: Extension = [
  codeFolding({ placeholderDOM: placeholder }),
  foldGutter({
    markerDOM: (isOpen) => h("span", { title: isOpen ? "Fold" : "Unfold" }, icon("chevron")),
    // keeps the focus
    domEventHandlers: { mousedown: () => true },
  }),
  keymap.of(foldKeymap),
];
