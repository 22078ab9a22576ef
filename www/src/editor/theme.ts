// CodeMirror in the page's colours, which are variables: they follow the theme by themselves.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-atom)" },
  { tag: [tags.keyword, tags.labelName], color: "var(--code-field)" },
  { tag: [tags.separator, tags.brace, tags.squareBracket, tags.punctuation], color: "var(--code-quiet)" },
  { tag: tags.comment, color: "var(--code-quiet)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code-size)", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "auto" },
  ".cm-content": { padding: "10px 0 16px", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 14px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--code-gutter)", border: "none", paddingLeft: "6px" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 6px", minWidth: "2.6ch" },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 2px" },
  ".cm-content ::selection": { backgroundColor: "var(--selection)" },
  ".cm-placeholder": { color: "var(--muted)", fontFamily: "var(--sans)" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--muted)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line)",
    color: "var(--muted)",
    padding: "0 6px",
    borderRadius: "4px",
  },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--accent-tint)", color: "inherit" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    borderBottom: "2px solid var(--error)",
    backgroundColor: "var(--error-tint)",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    borderBottom: "2px solid var(--lossy)",
    backgroundColor: "var(--lossy-tint)",
  },
  ".cm-lintRange-info": { backgroundImage: "none", borderBottom: "2px dotted var(--note)" },
  ".cm-lintRange-active": { backgroundColor: "var(--accent-tint)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  ".cm-diagnostic": {
    padding: "8px 12px",
    borderLeft: "none",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    maxWidth: "44ch",
  },
  ".cm-frame": { backgroundColor: "var(--accent-tint)" },
});

export const appearance = [look, syntaxHighlighting(colours)];

/** Server-sent events: names of fields, and the JSON in their data. */
export const eventStream = StreamLanguage.define({
  name: "event-stream",
  token(stream) {
    if (stream.sol() && stream.match(/^(?:data|event|id|retry)?:/)) return "keyword";
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return "propertyName";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^-?\d[\d.eE+-]*/)) return "number";
    if (stream.match(/^(?:true|false|null)\b/)) return "bool";
    if (stream.match(/^[[\]{},:]+/)) return "punctuation";
    stream.next();
    return null;
  },
});
