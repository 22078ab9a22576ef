// The editor of the source.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, codeFolding, foldGutter, foldKeymap } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { Finding, Place } from "../engine/protocol.ts";
import { appearance, eventStream } from "./theme.ts";

/** More marks than this help nobody. */
const mostMarks = 500;

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
        const to = Math.min(Math.max(place.to, place.from + 1), length);
        return [{ from: place.from, to, severity: severities[severity], message, source: code }];
      });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Selects the place and puts it in the middle. */
  goTo({ from, to }: Place): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
    this.#view.focus();
  }

  /** Shows which piece of the stream is being played. */
  showFrame(place: Place | undefined): void {
    const effects: StateEffect<unknown>[] = [showFrame.of(place)];
    if (place)
      effects.push(
        EditorView.scrollIntoView(Math.min(place.from, this.#view.state.doc.length), { y: "nearest", yMargin: 60 }),
      );
    this.#view.dispatch({ effects });
  }

  focus(): void {
    this.#view.focus();
  }
}
