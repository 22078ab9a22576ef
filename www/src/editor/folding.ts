// Objects and lists that end on another line can be folded.

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

/** Unfolds what touches the span, if it is meant. */
export function unfold(view: EditorView, span: Span, isMeant: (range: Span) => boolean = () => true): void {
  const effects: StateEffect<Span>[] = [];
  foldedRanges(view.state).between(span.from, span.to, (from, to) => {
    if (isMeant({ from, to })) effects.push(unfoldEffect.of({ from, to }));
  });
  if (effects.length > 0) view.dispatch({ effects });
}

/** The milliseconds that the page may stand still for it; what is not known by then is unfolded. */
const patience = 50;

/** Unfolds what does not end at its own bracket any more, as the text has changed. */
export function unfoldChanged(view: EditorView): void {
  const { state } = view;
  const { length } = state.doc;
  if (foldedRanges(state).size > 0) ensureSyntaxTree(state, length, patience);
  unfold(view, { from: 0, to: length }, ({ from, to }) => matchBrackets(state, from - 1, 1)?.end?.from !== to);
}

/** A button: the keyboard reaches it. Its focus goes to the text then, the mouse leaves it where it was. */
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

/** A mark beside each line that can be folded, and keys for it. */
export const folding: Extension = [
  codeFolding({ placeholderDOM: placeholder }),
  foldGutter({
    markerDOM: (isOpen) => h("span", { title: isOpen ? "Fold" : "Unfold" }, icon("chevron")),
    // The focus stays where it is.
    domEventHandlers: { mousedown: () => true },
  }),
  keymap.of(foldKeymap),
];
