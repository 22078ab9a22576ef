// A button in a text, in place of what it shows when it is pressed.

import type { EditorView } from "@codemirror/view";
import { h } from "../page/dom.ts";

/** It is gone then: the keyboard's focus stays in the text, the mouse leaves it where it was. */
export function revealing(
  view: EditorView,
  { text, ...attributes }: { text: string; class: string; title?: string; "aria-label"?: string },
  show: (at: number) => void,
): HTMLElement {
  const onclick = () => {
    const isFocused = document.activeElement === button;
    show(view.posAtDOM(button));
    if (isFocused) view.focus();
  };
  const onmousedown = (event: Event) => event.preventDefault();
  const button = h("button", { type: "button", onclick, onmousedown, ...attributes }, text);
  return button;
}
