// The keys of an editor. They are loaded as soon as the page has nothing else to do, or when an editor is used before that: until then, the
// browser's own keys edit the text.

import { Compartment, type Extension } from "@codemirror/state";
import { type EditorView, keymap, ViewPlugin } from "@codemirror/view";

const place = new Compartment();

async function load(view: EditorView, isGone: () => boolean): Promise<void> {
  const { bindingsOfEditing } = await import("./bindings.ts");
  if (!isGone()) view.dispatch({ effects: place.reconfigure(bindingsOfEditing) });
}

const loading = ViewPlugin.define((view) => {
  let isGone = false;
  const start = once(() => load(view, () => isGone));
  // after the wasm on a slow network
  const timer = setTimeout(start, 4000);
  view.dom.addEventListener("focusin", start);
  return {
    destroy() {
      isGone = true;
      clearTimeout(timer);
      view.dom.removeEventListener("focusin", start);
    },
  };
});

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/** Selects all, also the lines that are not in sight, which the browser does not know. */
const selectAll = keymap.of([
  {
    key: "Mod-a",
    run(view) {
      view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
      return true;
    },
  },
]);

export const editing: Extension = [place.of(selectAll), loading];
