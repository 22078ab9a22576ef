// Objects and lists that end on another line can be folded.

import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Line,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  type KeyBinding,
  keymap,
  WidgetType,
} from "@codemirror/view";
import { h, icon } from "../page/dom.ts";
import { closingOf } from "./brackets.ts";
import { revealing } from "./reveal.ts";

interface Range {
  from: number;
  to: number;
}

const fold = StateEffect.define<Range[]>();
const unfold = StateEffect.define<Range>();

class Folded extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(view: EditorView): HTMLElement {
    const names = { class: "cm-foldPlaceholder", text: "…", title: "Unfold", "aria-label": "Unfold" };
    return revealing(view, names, (at) => toggle(view, view.state.doc.lineAt(at)));
  }
}

const folded = Decoration.replace({ widget: new Folded() });

const folds = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, { changes, docChanged, effects, newDoc, newSelection, selection }) {
    let kept = set.map(changes);
    if (docChanged) kept = kept.update({ filter: (from, to) => isKept({ from, to }, changes.invertedDesc, newDoc) });
    for (const effect of effects) {
      if (effect.is(fold))
        kept = kept.update({ add: effect.value.map(({ from, to }) => folded.range(from, to)), sort: true });
      if (effect.is(unfold)) kept = without(kept, effect.value);
    }
    // What the cursor is led into opens.
    if (selection)
      kept = kept.update({ filter: (from, to) => !newSelection.ranges.some(({ head }) => head > from && head < to) });
    return kept;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What is changed at its brackets opens: nothing is deleted unseen. What is changed within it may have moved them. */
function isKept({ from, to }: Range, edits: ChangeDesc, doc: Text): boolean {
  if (edits.touchesRange(from) || edits.touchesRange(to)) return false;
  return !edits.touchesRange(from, to) || closingOf(doc, from - 1, to) === to;
}

const without = (set: DecorationSet, { from, to }: Range) =>
  set.update({ filter: (start, end) => start !== from || end !== to });

function foldedIn(state: EditorState, line: Range): Range | undefined {
  let found: Range | undefined;
  state.field(folds).between(line.from, line.to, (from, to) => {
    if (from >= line.from && from <= line.to) found ??= { from, to };
  });
  return found;
}

/** The bracket that a line leaves open at its end, if it does. */
function openEnd({ text, to }: Line): number | undefined {
  // Only the end is looked at: a line can be a whole megabyte.
  const end = text.slice(-200);
  const said = end.trimEnd();
  return /[[{]$/.test(said) ? to - (end.length - said.length) - 1 : undefined;
}

function foldable({ doc }: EditorState, line: Line): Range | undefined {
  const open = openEnd(line);
  if (open === undefined) return undefined;
  const close = closingOf(doc, open);
  return close === undefined ? undefined : { from: open + 1, to: close };
}

/** Folds what begins on the line, or unfolds it. */
function toggle(view: EditorView, line: Line): boolean {
  const closed = foldedIn(view.state, line);
  const range = closed ?? foldable(view.state, line);
  if (!range) return false;
  view.dispatch({ effects: closed ? unfold.of(range) : fold.of([range]) });
  return true;
}

const atCursor =
  (wanted: "folded" | "open"): Command =>
  (view) => {
    const { state } = view;
    const line = state.doc.lineAt(state.selection.main.head);
    return (foldedIn(state, line) === undefined) === (wanted === "open") && toggle(view, line);
  };

const foldAll: Command = (view) => {
  const { doc } = view.state;
  const ranges: Range[] = [];
  for (let number = 1; number <= doc.lines; ) {
    const line = doc.line(number);
    const range = foldable(view.state, line);
    if (range) ranges.push(range);
    // Another one may begin where it ends.
    number = range ? doc.lineAt(range.to).number : number + 1;
  }
  view.dispatch({ effects: fold.of(ranges.filter(({ from }) => !foldedIn(view.state, doc.lineAt(from)))) });
  return true;
};

const unfoldAll: Command = (view) => {
  const effects: StateEffect<Range>[] = [];
  view.state.field(folds).between(0, view.state.doc.length, (from, to) => {
    effects.push(unfold.of({ from, to }));
  });
  view.dispatch({ effects });
  return true;
};

const keys: KeyBinding[] = [
  { key: "Ctrl-Shift-[", mac: "Cmd-Alt-[", run: atCursor("open") },
  { key: "Ctrl-Shift-]", mac: "Cmd-Alt-]", run: atCursor("folded") },
  { key: "Ctrl-Alt-[", run: foldAll },
  { key: "Ctrl-Alt-]", run: unfoldAll },
];

class FoldMarker extends GutterMarker {
  constructor(readonly open: boolean) {
    super();
  }

  override eq(other: FoldMarker): boolean {
    return this.open === other.open;
  }

  override toDOM(): HTMLElement {
    return h("span", { title: this.open ? "Fold" : "Unfold" }, icon("chevron"));
  }
}

const canFold = new FoldMarker(true);
const canUnfold = new FoldMarker(false);

const foldGutter = gutter({
  class: "cm-foldGutter",
  lineMarker({ state }, { from }) {
    const line = state.doc.lineAt(from);
    if (foldedIn(state, line)) return canUnfold;
    return openEnd(line) === undefined ? null : canFold;
  },
  lineMarkerChange: ({ startState, state }) => startState.field(folds) !== state.field(folds),
  initialSpacer: () => canFold,
  domEventHandlers: {
    // The focus stays where it is.
    mousedown: () => true,
    click: (view, { from }) => toggle(view, view.state.doc.lineAt(from)),
  },
});

/** A mark beside each line that can be folded, and keys for it. */
export const folding: Extension = [folds, foldGutter, keymap.of(keys)];
