// Marks the findings in the source.

import { type EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  activateHover,
  type Command,
  closeHoverTooltips,
  Decoration,
  type DecorationSet,
  EditorView,
  hasHoverTooltips,
  hoverTooltip,
  keymap,
  tooltips,
} from "@codemirror/view";
import type { Finding, Place } from "../engine/protocol.ts";
import { announce, h } from "../page/dom.ts";
import { sentence } from "../page/names.ts";
import { unfold } from "./folding.ts";

/** Maximum number of marks. */
const mostMarks = 500;
const longestMark = 160;

type Marked = Finding & { place: Place };

const show = StateEffect.define<DecorationSet>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects }) {
    return effects.find((effect) => effect.is(show))?.value ?? shown.map(changes);
  },
  // inside the highlighting, which the marks would otherwise split
  provide: (field) => Prec.highest(EditorView.decorations.from(field)),
});

export function marking(state: EditorState, findings: Finding[]): StateEffect<DecorationSet> {
  const placed = findings.filter(
    (finding): finding is Marked => finding.place !== undefined && finding.place.from < state.doc.length,
  );
  const ranges = distinct(placed)
    .slice(0, mostMarks)
    .map((finding) => {
      const decoration = Decoration.mark({ class: `cm-finding cm-finding-${finding.severity}`, finding });
      return decoration.range(finding.place.from, markEnd(state, finding.place));
    });
  return show.of(Decoration.set(ranges, true));
}

/** Joins the equal findings of several targets about one place. */
function distinct(findings: Marked[]): Marked[] {
  return [...new Map(findings.map((finding) => [`${finding.place.from} ${finding.message}`, finding])).values()];
}

/** A mark shows where a value begins, so it ends at the end of the line. */
function markEnd({ doc }: EditorState, { from, to }: Place): number {
  return Math.min(Math.max(to, from + 1), from + longestMark, Math.max(doc.lineAt(from).to, from + 1), doc.length);
}

const explanation = hoverTooltip(({ state }, at, side) => {
  const found: Marked[] = [];
  let [start, end] = [state.doc.length, 0];
  state.field(marks).between(at, at, (from, to, { spec }) => {
    if ((from === at && side < 0) || (to === at && side > 0)) return;
    found.push(spec.finding);
    start = Math.min(start, from);
    end = Math.max(end, to);
  });
  if (found.length === 0) return null;
  const create = () => ({ dom: h("ul", { class: "cm-explanation" }, ...found.map(explain)) });
  return { pos: start, end, above: true, create };
});

function explain({ severity, message, code }: Finding): HTMLElement {
  return h("li", { class: severity }, sentence(message), h("code", {}, code));
}

/** Selects the next finding and announces its message. */
const goToNext: Command = (view) => {
  const { main } = view.state.selection;
  const found: (Place & { finding: Finding })[] = [];
  view.state.field(marks).between(0, view.state.doc.length, (from, to, { spec: { finding } }) => {
    found.push({ from, to, finding });
  });
  found.sort((a, b) => a.from - b.from);
  const next = found.find(({ from }) => from > main.from || (main.empty && from === main.from)) ?? found[0];
  if (!next) return false;
  const here = found.filter(({ from }) => from === next.from);
  unfold(view, next);
  view.dispatch({ selection: { anchor: next.to, head: next.from }, scrollIntoView: true });
  activateHover(view, next.from, 1, {
    tooltip: explanation,
    until: ({ docChanged, selection }) => docChanged || selection !== undefined,
  });
  announce(here.map(({ finding }) => sentence(finding.message)).join(" "), { isVisible: false });
  return true;
};

const close: Command = (view) => {
  if (!hasHoverTooltips(view.state)) return false;
  view.dispatch({ effects: closeHoverTooltips });
  return true;
};

const keys = keymap.of([
  { key: "F8", run: goToNext },
  { key: "Escape", run: close },
]);

const space = tooltips({ tooltipSpace: () => ({ top: 8, left: 8, bottom: innerHeight - 8, right: innerWidth - 8 }) });

/** Marks with a tooltip. F8 selects the next one. */
export const findingMarks: Extension = [marks, explanation, space, keys];
