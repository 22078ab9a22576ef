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
  ".cm-insertedLine": { backgroundColor: "var(--clean-tint)", boxShadow: "inset 3px 0 var(--clean)" },
  ".cm-deletedChunk": {
    backgroundColor: "var(--error-tint)",
    boxShadow: "inset 3px 0 var(--error)",
    padding: "0 14px 0 6px",
  },
  ".cm-deletedChunk del": { display: "block", minHeight: "1.6em", textDecoration: "none" },
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
    padding: "4px 14px",
    cursor: "pointer",
  },
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
    const chunk = h("div", { class: "cm-deletedChunk" });
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
      if (to <= at || from >= end) continue;
      pieces.push(this.text.slice(at, Math.max(from, at)));
      pieces.push(h("span", { class: "cm-deletedText" }, this.text.slice(Math.max(from, at), Math.min(to, end))));
      at = Math.min(to, end);
    }
    return [...pieces, this.text.slice(at, end)];
  }
}

const insertedLine = Decoration.line({ class: "cm-insertedLine" });
const insertedText = Decoration.mark({ class: "cm-insertedText" });

function difference(before: Text, after: Text, chunk: Chunk): Range<Decoration>[] {
  const { fromA, toA, endA, fromB, toB, endB, changes } = chunk;
  const marks: Range<Decoration>[] = [];
  const isChanged = fromA < toA && fromB < toB;
  if (fromA < toA) {
    const widget = new Deleted(
      before.sliceString(fromA, endA),
      isChanged ? changes.map(({ fromA, toA }) => ({ from: fromA, to: toA })) : [],
    );
    const isLast = fromB > after.length;
    marks.push(Decoration.widget({ widget, block: true, side: isLast ? 1 : -1 }).range(Math.min(fromB, after.length)));
  }
  for (let at = fromB; fromB < toB && at <= endB; at = after.lineAt(at).to + 1) marks.push(insertedLine.range(at));
  for (const change of isChanged ? changes : []) {
    const to = Math.min(fromB + change.toB, endB);
    if (fromB + change.fromB < to) marks.push(insertedText.range(fromB + change.fromB, to));
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

const textOf = (text: string) => Text.of(text.split(/\r\n?|\n/));

export function showDifference(parent: HTMLElement, original: string, returned: string): () => void {
  const [before, after] = [textOf(original), textOf(returned)];
  const chunks = Chunk.build(before, after, { scanLimit: 2000, timeout: 300 });
  const marks = chunks.flatMap((chunk) => difference(before, after, chunk));
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        lineNumbers(),
        colours,
        readOnly("What came back, with its differences from the source"),
        EditorView.decorations.of(Decoration.set(marks, true)),
        hiding(unchanged(after, chunks)),
      ],
    }),
  });
  return () => view.destroy();
}
