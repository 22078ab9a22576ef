// What a round trip changed. A chunk of its own: the difference view is loaded when it is first asked for.

import { Chunk } from "@codemirror/merge";
import { EditorState, type Extension, type Range, StateEffect, StateField, Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, lineNumbers, WidgetType } from "@codemirror/view";
import { h } from "../page/dom.ts";
import { revealing } from "./reveal.ts";
import { readOnly } from "./viewer.ts";

/** Unchanged lines that stay in sight beside what changed, and how many more of them make it worth hiding them. */
const margin = 3;
const fewest = 8;

const colours = EditorView.theme({
  ".cm-line, & del": { padding: "0 14px 0 20px" },
  "& del": { display: "block", minHeight: "1.6em", textDecoration: "none", backgroundColor: "var(--error-tint)" },
  ".cm-insertedLine": { backgroundColor: "var(--clean-tint)" },
  // Not by the colour alone.
  ".cm-insertedLine, & del": { position: "relative" },
  ".cm-insertedLine::before, & del::before": {
    content: '"+"',
    position: "absolute",
    left: "6px",
    color: "var(--clean)",
  },
  "& del::before": { content: '"−"', color: "var(--error)" },
  ".cm-insertedText": { background: "color-mix(in oklab, var(--clean) 16%, transparent)", borderRadius: "3px" },
  ".cm-deletedText": { background: "color-mix(in oklab, var(--error) 16%, transparent)", borderRadius: "3px" },
  ".cm-unchangedLines": {
    display: "block",
    width: "100%",
    border: "none",
    background: "var(--sunken)",
    color: "var(--muted)",
    font: "inherit",
    fontFamily: "var(--sans)",
    textAlign: "left",
    padding: "4px 20px",
    cursor: "pointer",
    outlineOffset: "-2px",
  },
  ".cm-unchangedLines:hover": { color: "var(--ink)" },
});

interface Span {
  from: number;
  to: number;
}

/** Lines that did not come back, where they stood. */
class Deleted extends WidgetType {
  constructor(
    readonly text: string,
    readonly changed: Span[],
  ) {
    super();
  }

  toDOM(): HTMLElement {
    const chunk = h("div");
    let from = 0;
    for (const line of this.text.split("\n")) {
      chunk.append(h("del", {}, ...this.#pieces(from, from + line.length)));
      from += line.length + 1;
    }
    return chunk;
  }

  #pieces(start: number, end: number): (string | Node)[] {
    const pieces: (string | Node)[] = [];
    let at = start;
    for (const { from, to } of this.changed) {
      if (from < start || to > end) continue;
      pieces.push(this.text.slice(at, from), h("span", { class: "cm-deletedText" }, this.text.slice(from, to)));
      at = to;
    }
    return [...pieces, this.text.slice(at, end)];
  }
}

/** What changed in each line, without its indentation. */
function* inLines(text: Text, { from, to }: Span): Generator<Span> {
  for (let at = from; at < to; ) {
    const line = text.lineAt(at);
    const start = Math.max(at, line.from + line.text.search(/\S|$/));
    const end = Math.min(to, line.to);
    if (start < end) yield { from: start, to: end };
    at = line.to + 1;
  }
}

const insertedLine = Decoration.line({ class: "cm-insertedLine", attributes: { role: "insertion" } });
const insertedText = Decoration.mark({ class: "cm-insertedText" });

function difference(before: Text, after: Text, chunk: Chunk): Range<Decoration>[] {
  const { fromA, toA, endA, fromB, toB, endB, changes } = chunk;
  const marks: Range<Decoration>[] = [];
  // Lines that are altogether gone or new have no text of their own to be marked.
  const changed = fromA < toA && fromB < toB ? changes : [];
  if (fromA < toA) {
    const spans = changed.flatMap((change) => [
      ...inLines(before, { from: fromA + change.fromA, to: Math.min(fromA + change.toA, endA) }),
    ]);
    const widget = new Deleted(
      before.sliceString(fromA, endA),
      spans.map(({ from, to }) => ({ from: from - fromA, to: to - fromA })),
    );
    const isLast = fromB > after.length;
    marks.push(Decoration.widget({ widget, block: true, side: isLast ? 1 : -1 }).range(Math.min(fromB, after.length)));
  }
  for (let at = fromB; fromB < toB && at <= endB; at = after.lineAt(at).to + 1) marks.push(insertedLine.range(at));
  for (const change of changed) {
    const span = { from: fromB + change.fromB, to: Math.min(fromB + change.toB, endB) };
    for (const { from, to } of inLines(after, span)) marks.push(insertedText.range(from, to));
  }
  return marks;
}

const expand = StateEffect.define<number>();

class Unchanged extends WidgetType {
  constructor(readonly lines: number) {
    super();
  }

  toDOM(view: EditorView): HTMLElement {
    const names = { class: "cm-unchangedLines", text: `${this.lines} unchanged lines`, title: "Show them" };
    return revealing(view, names, (at) => view.dispatch({ effects: expand.of(at) }));
  }
}

function unchanged(doc: Text, chunks: readonly Chunk[]): DecorationSet {
  const hidden: Range<Decoration>[] = [];
  let first = 1;
  const hide = (last: number) => {
    if (last - first + 1 < fewest) return;
    const widget = new Unchanged(last - first + 1);
    hidden.push(Decoration.replace({ widget, block: true }).range(doc.line(first).from, doc.line(last).to));
  };
  for (const { fromB, endB } of chunks) {
    hide(doc.lineAt(Math.min(fromB, doc.length)).number - 1 - margin);
    first = doc.lineAt(Math.min(endB, doc.length)).number + 1 + margin;
  }
  if (chunks.length > 0) hide(doc.lines);
  return Decoration.set(hidden);
}

const hiding = (hidden: DecorationSet): Extension =>
  StateField.define<DecorationSet>({
    create: () => hidden,
    update: (shown, { effects }) =>
      effects.reduce(
        (left, effect) => (effect.is(expand) ? left.update({ filter: (from) => from !== effect.value }) : left),
        shown,
      ),
    provide: (field) => EditorView.decorations.from(field),
  });

const linesOf = (text: string) => text.split(/\r\n?|\n/);
/** Both end with a newline: else the last line would differ from the same with another after it. */
const ended = (lines: string[]) => Text.of([...lines, ""]);

export function showDifference(parent: HTMLElement, original: string, returned: string): () => void {
  const [before, after] = [linesOf(original), linesOf(returned)];
  const chunks = Chunk.build(ended(before), ended(after), { scanLimit: 2000, timeout: 300 });
  const [gone, doc] = [Text.of(before), Text.of(after)];
  const marks = chunks.flatMap((chunk) => difference(gone, doc, chunk));
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        colours,
        readOnly("What came back, with its differences from the source"),
        EditorView.decorations.of(Decoration.set(marks, true)),
        hiding(unchanged(doc, chunks)),
      ],
    }),
  });
  return () => view.destroy();
}
