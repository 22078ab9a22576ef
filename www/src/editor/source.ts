// The editor of the source.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldGutter, foldKeymap } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { Finding, Place } from "../engine/protocol.ts";
import { appearance, eventStream } from "./theme.ts";

/** More marks than this help nobody. */
const mostMarks = 500;
const longestMark = 160;

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

const severities = { error: "error", lossy: "warning", note: "info" } as const;

/** Several targets say the same of one place. */
function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.path}\n${finding.message}`, finding])).values()];
}

/** A mark says where something begins: it ends with the line. */
function markEnd({ doc }: EditorState, { from, to }: Place): number {
  return Math.min(Math.max(to, from + 1), from + longestMark, Math.max(doc.lineAt(from).to, from + 1), doc.length);
}

export class SourceEditor {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  #isStream = false;

  constructor(parent: HTMLElement, onText: (text: string) => void) {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString());
    });
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          codeFolding(),
          foldGutter({ openText: "⌄", closedText: "›" }),
          history(),
          bracketMatching(),
          highlightActiveLine(),
          placeholder("Paste a request, an answer, a stream, tools, a result or an error."),
          // Tab is left alone: it leads out of the editor.
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": "Source: paste a request, an answer, a stream, tools or a result",
            spellcheck: "false",
            tabindex: "0",
            autocapitalize: "off",
          }),
          this.#language.of(json()),
          frame,
          appearance,
          changed,
        ],
      }),
    });
  }

  /** Replaces the text, as typing would. */
  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.length === text.length && doc.toString() === text) return;
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  setLanguage(isStream: boolean): void {
    if (isStream === this.#isStream) return;
    this.#isStream = isStream;
    this.#view.dispatch({ effects: this.#language.reconfigure(isStream ? eventStream : json()) });
  }

  mark(findings: Finding[]): void {
    const { length } = this.#view.state.doc;
    const marks = distinct(findings)
      .slice(0, mostMarks)
      .flatMap(({ place, severity, message, code }): Diagnostic[] => {
        if (!place || place.from >= length) return [];
        const to = markEnd(this.#view.state, place);
        return [{ from: place.from, to, severity: severities[severity], message, source: code }];
      });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Selects the place and puts it in the middle. */
  goTo({ from, to }: Place): void {
    const { length } = this.#view.state.doc;
    // The head first: what is selected is looked at from its beginning.
    const selection = { anchor: Math.min(to, length), head: Math.min(from, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.head, { y: "center" }) });
    this.#view.focus();
  }

  /** Shows which piece of the stream is being played. The editor alone is scrolled, never the page. */
  showFrame(place: Place | undefined): void {
    this.#view.dispatch({ effects: showFrame.of(place) });
    if (!place) return;
    const { top, bottom } = this.#view.lineBlockAt(Math.min(place.from, this.#view.state.doc.length));
    const { scrollDOM } = this.#view;
    const isInSight = top > scrollDOM.scrollTop && bottom < scrollDOM.scrollTop + scrollDOM.clientHeight;
    if (!isInSight) scrollDOM.scrollTop = top - scrollDOM.clientHeight / 3;
  }

  focus(): void {
    this.#view.focus();
  }
}
