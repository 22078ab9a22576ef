// Text that is shown, not edited.

import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { folding, unfoldChanged } from "./folding.ts";
import { appearance } from "./theme.ts";

/** What can be read and scrolled to with the keyboard alone. */
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

/** What differs between the two, in one piece: the rest of the view stays as it was scrolled and folded. */
function changeOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
