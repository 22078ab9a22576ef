// The colours of what is in sight.

import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, Direction, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { type TokenKind, tokens } from "./tokens.ts";

// Words that run from right to left stay where JSON has them.
const mark = (kind: TokenKind) => Decoration.mark({ class: `cm-${kind}`, bidiIsolate: Direction.LTR });
const marks: Record<TokenKind, Decoration> = {
  key: mark("key"),
  string: mark("string"),
  atom: mark("atom"),
  field: mark("field"),
  quiet: mark("quiet"),
};

function marksOf({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      const end = Math.min(to, line.to);
      for (const token of tokens(line.text, at - line.from, end - line.from)) {
        builder.add(line.from + token.from, line.from + token.to, marks[token.kind]);
      }
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export const highlighting = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;

    constructor(view: EditorView) {
      this.marks = marksOf(view);
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.marks = marksOf(view);
    }
  },
  {
    decorations: ({ marks }) => marks,
    provide: (plugin) => EditorView.bidiIsolatedRanges.of((view) => view.plugin(plugin)?.marks ?? Decoration.none),
  },
);
