// An editor of a part of a section: tool definitions, arguments, the text of a model.

import { EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, lineNumbers, placeholder } from "@codemirror/view";
import type { Finding, Place } from "../engine/protocol.ts";
import { folding } from "./folding.ts";
import { editing } from "./keys.ts";
import { brackets } from "./language.ts";
import { findingMarks, marking } from "./marks.ts";
import { searching } from "./search.ts";
import { isReplaced } from "./source.ts";
import { appearance } from "./theme.ts";

/** A part of the text that belongs to something beside it. */
export interface Link extends Place {
  className: string;
}

const showLinks = StateEffect.define<DecorationSet>();
const links = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { changes, effects }) => effects.find((effect) => effect.is(showLinks))?.value ?? shown.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

interface Wishes {
  label: string;
  placeholder: string;
  changed(text: string): void;
  /** Called instead if other text was pasted in place of all. */
  replaced?(text: string): void;
  /** Called with the position of the cursor when it has moved. */
  moved?(at: number): void;
}

export class Input {
  readonly element: HTMLElement;
  readonly #view: EditorView;
  /** Whether the text is being set by the page. */
  #isSetting = false;

  constructor(wishes: Wishes) {
    this.element = document.createElement("div");
    this.element.className = "input";
    this.#view = new EditorView({
      parent: this.element,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          folding,
          findingMarks,
          links,
          editing,
          brackets,
          searching,
          placeholder(wishes.placeholder),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": wishes.label,
            spellcheck: "false",
            tabindex: "0",
            autocapitalize: "off",
          }),
          appearance,
          EditorView.updateListener.of((update) => {
            const { docChanged, selectionSet, state, view } = update;
            if (docChanged && !this.#isSetting) {
              (wishes.replaced && isReplaced(update) ? wishes.replaced : wishes.changed)(state.doc.toString());
            }
            if (selectionSet && view.hasFocus) wishes.moved?.(state.selection.main.head);
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text, without calling `changed`. The first text can't be undone. */
  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.length === text.length && doc.toString() === text) return;
    this.#isSetting = true;
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: 0 },
      annotations: Transaction.addToHistory.of(doc.length > 0),
    });
    this.#isSetting = false;
  }

  mark(findings: Finding[]): void {
    this.#view.dispatch({ effects: marking(this.#view.state, findings) });
  }

  link(places: Link[]): void {
    const { length } = this.#view.state.doc;
    const ranges = places
      .filter(({ from, to }) => from < to && to <= length)
      .map(({ from, to, className }) => Decoration.mark({ class: className }).range(from, to));
    this.#view.dispatch({ effects: showLinks.of(Decoration.set(ranges, true)) });
  }

  /** Selects a place, and scrolls it to the middle. */
  goTo({ from, to }: Place): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(to, length), head: Math.min(from, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.head, { y: "center" }) });
    this.#view.focus();
  }
}
