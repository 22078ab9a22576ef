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

  destroy(): void {
    this.#view.destroy();
  }
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
