// What a round trip changed. A chunk of its own: the difference view is loaded when it is first asked for.

import { json } from "@codemirror/lang-json";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { readOnly } from "./viewer.ts";

// As specific as what the package itself says, or it would be passed over.
const colours = EditorView.theme({
  "&.cm-merge-b .cm-changedLine, & .cm-insertedLine": { backgroundColor: "var(--clean-tint)" },
  "& .cm-deletedChunk": { backgroundColor: "var(--error-tint)", paddingLeft: "6px" },
  "&.cm-merge-b .cm-changedText, & .cm-insertedLine .cm-changedText": {
    background: "color-mix(in oklab, var(--clean) 16%, transparent)",
    borderRadius: "3px",
  },
  "& .cm-deletedChunk .cm-deletedText, &.cm-merge-b .cm-deletedText": {
    background: "color-mix(in oklab, var(--error) 16%, transparent)",
    borderRadius: "3px",
  },
  "& .cm-deletedLine, & .cm-deletedLine del": { textDecoration: "none" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--clean)" },
  "& .cm-gutters .cm-deletedLineGutter": { background: "var(--error)" },
  "& .cm-collapsedLines": {
    background: "var(--sunken)",
    color: "var(--muted)",
    fontFamily: "var(--sans)",
    padding: "4px 14px",
  },
});

export function showDifference(parent: HTMLElement, original: string, returned: string): () => void {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: returned,
      extensions: [
        lineNumbers(),
        json(),
        colours,
        readOnly("What came back, with its differences from the source"),
        unifiedMergeView({
          original,
          mergeControls: false,
          gutter: true,
          collapseUnchanged: { margin: 3, minSize: 8 },
          diffConfig: { scanLimit: 2000, timeout: 300 },
        }),
      ],
    }),
  });
  return () => view.destroy();
}
