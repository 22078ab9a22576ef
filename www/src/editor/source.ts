// The editor of the source.

import { EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  lineNumbers,
  placeholder,
  type ViewUpdate,
} from "@codemirror/view";
import type { Finding, Place } from "../engine/protocol.ts";
import { folding } from "./folding.ts";
import { editing } from "./keys.ts";
import { brackets } from "./language.ts";
import { findingMarks, marking } from "./marks.ts";
import { searching } from "./search.ts";
import { appearance } from "./theme.ts";
import { scrollToCall } from "./viewer.ts";

const showFrame = StateEffect.define<Place | undefined>();
const frame = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(showFrame)) return frameMarks(transaction.state, effect.value);
    }
    return transaction.docChanged ? Decoration.none : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function frameMarks(state: EditorState, place: Place | undefined): DecorationSet {
  if (!place || place.from >= state.doc.length) return Decoration.none;
  const first = state.doc.lineAt(place.from).number;
  const last = state.doc.lineAt(Math.max(place.from, Math.min(place.to, state.doc.length) - 1)).number;
  const line = Decoration.line({ class: "cm-frame" });
  const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
  return Decoration.set(lines.filter(({ text }) => text !== "").map(({ from }) => line.range(from)));
}

/** Whether other text was pasted in place of all. */
export function isReplaced({ startState, transactions, changes }: ViewUpdate): boolean {
  let isWhole = false;
  changes.iterChangedRanges((from, to) => {
    isWhole ||= from === 0 && to === startState.doc.length;
  });
  return isWhole && transactions.some((transaction) => transaction.isUserEvent("input.paste"));
}

export class SourceEditor {
  readonly #view: EditorView;

  /** `edited` is called after changes, `replaced` if other text was pasted in place of all. */
  constructor(parent: HTMLElement, { edited, replaced }: Record<"edited" | "replaced", (text: string) => void>) {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) (isReplaced(update) ? replaced : edited)(update.state.doc.toString());
    });
    // what the page showed before
    parent.replaceChildren();
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          folding,
          findingMarks,
          editing,
          brackets,
          searching,
          highlightActiveLine(),
          placeholder(
            "Paste what one LLM API takes or returns: a request, a response, a stream, tools, a curl command, a log, Python or JavaScript. Or drop a file.",
          ),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": "Source: paste a request, a response, a stream, tools or a result",
            spellcheck: "false",
            tabindex: "0",
            autocapitalize: "off",
          }),
          frame,
          appearance,
          changed,
        ],
      }),
    });
  }

  /** Replaces the text as if it was typed. The first text can't be undone. */
  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.length === text.length && doc.toString() === text) return;
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: 0 },
      annotations: Transaction.addToHistory.of(doc.length > 0),
      scrollIntoView: true,
    });
  }

  /** Scrolls to the first call. */
  showCall(): void {
    scrollToCall(this.#view);
  }

  mark(findings: Finding[]): void {
    this.#view.dispatch({ effects: marking(this.#view.state, findings) });
  }

  /** Selects a place, and scrolls it to the middle. */
  goTo({ from, to }: Place): void {
    const { length } = this.#view.state.doc;
    // the cursor is at the start of the selection, so that its start is visible
    const selection = { anchor: Math.min(to, length), head: Math.min(from, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.head, { y: "center" }) });
    this.#view.focus();
  }

  /** Highlights the piece of the stream that is being played. Scrolls only the editor, never the page. */
  showFrame(place: Place | undefined): void {
    const { scrollDOM } = this.#view;
    // read before the page changes
    const { scrollTop, clientHeight } = scrollDOM;
    this.#view.dispatch({ effects: showFrame.of(place) });
    if (!place) return;
    const { top, bottom } = this.#view.lineBlockAt(Math.min(place.from, this.#view.state.doc.length));
    const isInSight = top > scrollTop && bottom < scrollTop + clientHeight;
    if (!isInSight) scrollDOM.scrollTop = top - clientHeight / 3;
  }

  focus(): void {
    this.#view.focus();
  }
}
