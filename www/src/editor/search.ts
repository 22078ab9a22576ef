// Search in the source, with the browser's own key, because the browser finds only the lines in sight. Loaded on first use.

import { Compartment, type Extension } from "@codemirror/state";
import { type Command, type EditorView, keymap } from "@codemirror/view";
import { announce } from "../page/dom.ts";

const place = new Compartment();

async function open(view: EditorView): Promise<void> {
  try {
    const { openSearchPanel, search, searchKeymap } = await import("@codemirror/search");
    const isAdded = view.state.facet(keymap).some((bindings) => bindings === searchKeymap);
    if (!isAdded) {
      view.dispatch({ effects: place.reconfigure([search({ top: true }), keymap.of(searchKeymap)]) });
    }
    openSearchPanel(view);
  } catch {
    announce("The search could not be loaded");
  }
}

const find: Command = (view) => {
  open(view);
  return true;
};

export const searching: Extension = [place.of(keymap.of([{ key: "Mod-f", run: find, preventDefault: true }]))];
