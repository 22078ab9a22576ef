// Shows what a round trip changed. In a chunk of its own, because the difference view is loaded on first use.

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension, Text } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { readOnly } from "./viewer.ts";

const colours = EditorView.theme({
  ".cm-line, .cm-deletedLine": { padding: "0 14px 0 20px" },
  ".cm-deletedChunk": { padding: "0", backgroundColor: "var(--error-tint)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--clean-tint)" },
  // changes must not be recognizable by colour only
  ".cm-changedLine, .cm-deletedLine": { position: "relative" },
  ".cm-changedLine::before, .cm-deletedLine::before": {
    content: '"+"',
    position: "absolute",
    left: "6px",
    color: "var(--clean)",
  },
  ".cm-deletedLine::before": { content: '"−"', color: "var(--error)" },
  "&.cm-merge-b .cm-changedText": {
    background: "color-mix(in oklab, var(--clean) 16%, transparent)",
    borderRadius: "3px",
  },
  "&.cm-merge-b .cm-deletedChunk .cm-deletedText": {
    background: "color-mix(in oklab, var(--error) 16%, transparent)",
    borderRadius: "3px",
  },
  "& .cm-content .cm-collapsedLines": {
    background: "var(--sunken)",
    color: "var(--muted)",
    fontFamily: "var(--sans)",
    padding: "4px 20px",
    outlineOffset: "-2px",
  },
  "& .cm-content .cm-collapsedLines:hover": { color: "var(--ink)" },
  "& .cm-content .cm-collapsedLines::before, & .cm-content .cm-collapsedLines::after": { content: "none" },
});

const collapsed = ".cm-collapsedLines";

/** Makes collapsed unchanged lines expandable by keyboard, not only by a click. */
const byKeyboard: Extension = [
  EditorView.updateListener.of(({ view }) => {
    for (const lines of view.contentDOM.querySelectorAll<HTMLElement>(collapsed)) {
      lines.role = "button";
      lines.tabIndex = 0;
    }
  }),
  EditorView.domEventHandlers({
    keydown({ key, target }, view) {
      if (!(target instanceof HTMLElement && target.matches(collapsed) && (key === "Enter" || key === " ")))
        return false;
      target.click();
      view.focus();
      return true;
    },
  }),
];

/** Ends both texts with a newline. Otherwise, a last line would differ from an equal line that is not the last. */
const ended = (text: string) => Text.of([...text.split(/\r\n?|\n/), ""]);

export function showDifference(parent: HTMLElement, original: string, returned: string): () => void {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: ended(returned),
      extensions: [
        lineNumbers(),
        colours,
        readOnly("What came back, with its differences from the source"),
        byKeyboard,
        unifiedMergeView({
          original: ended(original),
          gutter: false,
          mergeControls: false,
          collapseUnchanged: { margin: 3, minSize: 8 },
          diffConfig: { scanLimit: 2000, timeout: 300 },
        }),
      ],
    }),
  });
  return () => view.destroy();
}
