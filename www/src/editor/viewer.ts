// A view of text that can't be edited.

import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { folding, unfoldChanged } from "./folding.ts";
import { appearance } from "./theme.ts";

/** Makes the text accessible by keyboard. */
export function readOnly(label: string): Extension {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-readonly": "true",
      role: "textbox",
      "aria-multiline": "true",
      tabindex: "0",
    }),
    EditorView.lineWrapping,
    appearance,
  ];
}

export class Viewer {
  readonly #view: EditorView;

  constructor(parent: HTMLElement, label: string) {
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [lineNumbers(), folding, readOnly(label)],
      }),
    });
  }

  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.length === text.length && doc.toString() === text) return;
    this.#view.dispatch({ changes: changeOf(doc.toString(), text) });
    unfoldChanged(this.#view);
  }

  /** Scrolls to the first call of a tool, which is what most come to see. */
  showCall(): void {
    scrollToCall(this.#view);
  }

  /** Selects a place, and scrolls it to the middle. */
  goTo({ from, to }: { from: number; to: number }): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(to, length), head: Math.min(from, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.head, { y: "center" }) });
  }

  destroy(): void {
    this.#view.destroy();
  }
}

/** The keys under which the formats have calls. */
const call = /"(?:tool_calls|toolCalls|functionCall|tool_use|function_call)"/;

/** Scrolls the text, never the page, so that the message with the first call is at the top. */
export function scrollToCall(view: EditorView): void {
  const at = view.state.doc.toString().search(call);
  const line = at < 0 ? 1 : view.state.doc.lineAt(at).number;
  const { from } = view.state.doc.line(Math.max(1, line - 3));
  view.requestMeasure({
    read: () => view.lineBlockAt(from).top,
    write: (top) => {
      view.scrollDOM.scrollTop = line <= 8 ? 0 : top;
    },
  });
}

/** A single change from one text to the other, so that scrolling and folding of the unchanged parts are kept. */
function changeOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
