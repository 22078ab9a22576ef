// The editor's theme. Its colours are the page's CSS variables, so they follow the page's theme.

import { EditorView } from "@codemirror/view";
import { highlighting } from "./language.ts";

const look = EditorView.theme({
  ".cm-key": { color: "var(--code-key)" },
  ".cm-string": { color: "var(--code-string)" },
  ".cm-atom": { color: "var(--code-atom)" },
  ".cm-field": { color: "var(--code-field)" },
  ".cm-quiet": { color: "var(--code-quiet)" },
  ".cm-key, .cm-string": { unicodeBidi: "isolate" },
  "&": { height: "100%", fontSize: "var(--code-size)", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "auto" },
  ".cm-content": { padding: "10px 0 16px", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 14px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--code-gutter)", border: "none", paddingLeft: "6px" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 6px", minWidth: "2.6ch" },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 3px" },
  ".cm-foldGutter .icon": { width: "12px", height: "12px", verticalAlign: "-1px" },
  ".cm-foldGutter [title=Unfold] .icon": { transform: "rotate(-90deg)" },
  ".cm-content ::selection": { backgroundColor: "var(--selection)" },
  // a lighter colour would be illegible
  ".cm-quiet::selection": { color: "var(--ink)" },
  ".cm-placeholder": { color: "var(--muted)", fontFamily: "var(--sans)" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--muted)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line)",
    color: "var(--muted)",
    // not higher than the line
    font: "inherit",
    lineHeight: "1",
    margin: "0 2px",
    padding: "0 6px 2px",
    borderRadius: "4px",
    cursor: "pointer",
    outlineOffset: "-1px",
  },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--accent-tint)", color: "inherit" },
  ".cm-finding-error": { borderBottom: "2px solid var(--error)", backgroundColor: "var(--error-tint)" },
  ".cm-finding-lossy": { borderBottom: "2px solid var(--lossy)", backgroundColor: "var(--lossy-tint)" },
  ".cm-finding-note": { borderBottom: "2px dotted var(--note)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    // narrow, because it covers the lines below
    boxShadow: "0 1px 3px light-dark(#1c1d1a33, #00000080)",
    overflow: "hidden",
  },
  ".cm-explanation": {
    margin: "0",
    padding: "4px 12px",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    maxWidth: "44ch",
    maxHeight: "40vh",
    overflow: "auto",
    listStyle: "none",
  },
  ".cm-explanation li": { padding: "4px 0" },
  ".cm-explanation code": { display: "block", color: "var(--muted)", fontSize: "12px" },
  ".cm-frame": { backgroundColor: "var(--accent-tint)" },
});

export const appearance = [look, highlighting];
