// Highlights what belongs together in the source and the result: what is selected in one is shown in the other.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { ask } from "../engine/client.ts";
import { isProblem, type Link, type Place, type Tasks } from "../engine/protocol.ts";
import { part } from "../page/dom.ts";
import { current } from "../page/state.ts";
import { shownResult } from "./shown.ts";

/** Maximum number of links that are highlighted. */
const most = 500;

type Trace = Tasks["trace"]["result"];

const meanings: Record<Link["how"], string> = {
  copied: "copied",
  decoded: "decoded from a string",
  joined: "joined with other texts",
  encoded: "encoded as a string",
  fitted: "changed to what the target accepts",
  made: "written by the conversion",
  event: "what the target is sent for these events",
  equal: "an equal value, which was not traced",
};

const show = StateEffect.define<DecorationSet>();
const shown = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { docChanged, effects }) =>
    effects.find((effect) => effect.is(show))?.value ?? (docChanged ? Decoration.none : before),
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.baseTheme({
  ".cm-linked": { backgroundColor: "var(--accent-tint)", boxShadow: "0 1px 0 0 var(--accent)" },
  ".cm-linked-made": { boxShadow: "none", outline: "1px dashed var(--muted)" },
});

let traced: { key: unknown[]; trace: Promise<Trace | undefined> } | undefined;

/** The map of what is shown, which is asked for when it is first needed. */
function trace(): Promise<Trace | undefined> {
  const result = shownResult();
  if (!result) return Promise.resolve(undefined);
  const { text, settings } = current();
  const { identity, outcome } = result;
  const key = [text, settings, outcome.to, identity.from, identity.kind];
  if (traced?.key.every((one, index) => one === key[index])) return traced.trace;
  const asked = ask("trace", { text, identity, to: outcome.to, settings }).catch(() => undefined);
  traced = { key, trace: asked.then((found) => (found && !isProblem(found) ? found : undefined)) };
  return traced.trace;
}

const sourceView = () => viewIn(part("source-editor"));
const outputView = () => viewIn(document.querySelector<HTMLElement>(".card.whole .card-body"));

function viewIn(parent: HTMLElement | null): EditorView | undefined {
  const element = parent?.querySelector<HTMLElement>(".cm-editor");
  return (element && EditorView.findFromDOM(element)) ?? undefined;
}

/** The links at a selection: those that it overlaps, or if it is a cursor the one that it is in or beside. */
function linksAt(links: Link[], side: "source" | "output", { from, to }: Place): Link[] {
  const meets = (place: Place | undefined) =>
    place !== undefined && (from === to ? place.from <= from && from <= place.to : place.from < to && from < place.to);
  const found = links.filter((link) => meets(link[side]));
  const first = found[0]?.[side];
  const isFirst = (place: Place | undefined) => place?.from === first?.from && place?.to === first?.to;
  return (from === to ? found.filter((link) => isFirst(link[side])) : found).slice(0, most);
}

async function followFrom(side: "source" | "output", selection: Place): Promise<void> {
  const found = await trace();
  const [source, output] = [sourceView(), outputView()];
  // the output may be cut off, or be another one by now
  if (!found || !source || !output || source.state.doc.toString() !== current().text) return clear();
  if (output.state.doc.toString() !== found.output) return clear();
  let links = linksAt(found.links, side, selection);
  const warned = side === "source" && links.length === 0 ? targetsAt(found, selection) : [];
  if (warned.length > 0) links = warned;
  mark(source, links, "source", side !== "source");
  mark(output, links, "output", side !== "output");
}

/** Where in the output the warnings about what is selected lead to: of what is not in the map, such as an object that was replaced. */
function targetsAt({ targets }: Trace, { from, to }: Place): Link[] {
  const findings = shownResult()?.outcome.findings ?? [];
  const isMeant = (place: Place | undefined) => place?.from === from && place.to === to;
  const meant = findings.filter(({ place }) => isMeant(place)).map(({ code, path }) => `${code} ${path}`);
  return targets.flatMap(({ code, path, output }) =>
    output && meant.includes(`${code} ${path}`) ? [{ output, how: "fitted" as const }] : [],
  );
}

function mark(view: EditorView, links: Link[], side: "source" | "output", isOther: boolean): void {
  const { length } = view.state.doc;
  const ranges = links.flatMap(({ how, ...places }) => {
    const place = places[side];
    if (!place || place.from >= place.to || place.to > length) return [];
    const decoration = Decoration.mark({
      class: `cm-linked cm-linked-${how}`,
      attributes: { title: meanings[how] },
    });
    return [decoration.range(place.from, place.to)];
  });
  if (view.state.field(shown, false) === undefined) {
    view.dispatch({ effects: StateEffect.appendConfig.of([shown, look]) });
  }
  view.dispatch({ effects: show.of(Decoration.set(ranges, true)) });
  const first = ranges.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  if (isOther && ranges.length > 0) reveal(view, first);
}

/** Scrolls the text, never the page. */
function reveal(view: EditorView, at: number): void {
  const { scrollTop, clientHeight } = view.scrollDOM;
  const { top, bottom } = view.lineBlockAt(at);
  if (top < scrollTop || bottom > scrollTop + clientHeight) view.scrollDOM.scrollTop = top - clientHeight / 3;
}

function clear(): void {
  for (const view of [sourceView(), outputView()]) {
    if (view?.state.field(shown, false)?.size) view.dispatch({ effects: show.of(Decoration.none) });
  }
}

/** Shows the place in the result of a warning about something that was added. */
async function showAdded(code: string | null): Promise<void> {
  document.querySelector<HTMLElement>('.side[data-side="results"]')?.click();
  const found = await trace();
  const view = outputView();
  const place = found?.targets.find((target) => target.code === code && target.path === "")?.output;
  if (place && view?.state.doc.toString() === found?.output)
    mark(view, [{ output: place, how: "made" }], "output", true);
}

/** Keys that move the cursor. */
const moves = /^(?:Arrow|Home|End|Page)/;

/** Shows what belongs to what was pressed or is selected. */
export function follow({ target, key }: { target: EventTarget | null; key?: string }): void {
  if (!(target instanceof Element) || (key !== undefined && !moves.test(key))) return;
  const [source, output] = [sourceView(), outputView()];
  if (output?.dom.contains(target)) followFrom("output", output.state.selection.main);
  else if (!source) return;
  else if (source.dom.contains(target)) followFrom("source", source.state.selection.main);
  else if (target.closest("button.path:not(.added)")) followFrom("source", source.state.selection.main);
  else if (target.matches(".added")) showAdded(target.parentElement?.querySelector(".code-name")?.textContent ?? null);
}
