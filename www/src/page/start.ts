// Connects the parts of the page: source, conversion in the worker, findings and outputs.

import type { Dialect } from "toolwire";
import { SourceEditor } from "../editor/source.ts";
import { latest, startEngine } from "../engine/client.ts";
import {
  type Finding,
  type Identity,
  isProblem,
  type Kind,
  type Outcome,
  type Problem,
  type Source,
  type Tasks,
} from "../engine/protocol.ts";
import { showAbout } from "../panes/about.ts";
import { buildCodePane } from "../panes/code-pane.ts";
import { examples, showExample } from "../panes/examples.ts";
import { gathered, showFindings, showNoFindings, showProblem } from "../panes/findings.ts";
import { buildHeader } from "../panes/header.ts";
import { Outputs } from "../panes/outputs.ts";
import { Player } from "../panes/player.ts";
import { RoundTrip } from "../panes/round-trip.ts";
import { buildSourceControls } from "../panes/source-controls.ts";
import { Views, viewName } from "../panes/views.ts";
import { announce, h, part } from "./dom.ts";
import { dialects, sideBySide } from "./names.ts";
import { stateOf } from "./permalink.ts";
import { current, onChange, type State, update, type View } from "./state.ts";

/** For longer sources, the page waits for a pause in typing and converts only to visible targets. */
const large = 200_000;

export function startPage(): void {
  startEngine();
  buildHeader();
  const page = new Page();
  onChange((state, changed) => page.update(state, changed));
  addEventListener("hashchange", openLink);
  openLink();
}

class Page {
  readonly #controls = buildSourceControls();
  readonly #code = buildCodePane();
  readonly #editor = new SourceEditor(part("source-editor"), (text) => {
    if (text !== current().text) update({ text, example: undefined });
  });
  readonly #views = new Views((view) => update({ view, ...(isDialect(view) && { target: view }) }));
  readonly #outputs = new Outputs();
  readonly #trip = new RoundTrip((via) => update({ via }));
  readonly #player = new Player({
    choose: (target) => update({ target }),
    showFrame: (place) => this.#editor.showFrame(place),
  });
  readonly #conversion = latest("convert", (result, task) =>
    this.#take(result, task, (done) => this.#showConversion(done)),
  );
  readonly #roundTrip = latest("roundTrip", (result, task) => this.#take(result, task, (done) => this.#showTrip(done)));
  readonly #playing = latest("play", (result, task) => this.#take(result, task, (done) => this.#showPlayed(done)));
  #identity: Identity | undefined;
  #outcomes: Outcome[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Handles a change of the source or the view. */
  update({ text }: State, changed: ReadonlySet<keyof State>): void {
    if (changed.has("text")) this.#editor.setText(text);
    clearTimeout(this.#timer);
    if (text.trim() === "") {
      this.#showNothing();
      return;
    }
    setBusy(true);
    const wait = !changed.has("text") ? 0 : text.length > large ? 250 : 30;
    this.#timer = setTimeout(() => {
      this.#conversion.ask({ source: sourceOf(current()), targets: wanted(current(), this.#identity) });
    }, wait);
  }

  /** Results for an outdated source are ignored. */
  #take<Done extends object>(
    result: Done | Problem | Error,
    { source }: { source: Source },
    show: (done: Exclude<Done, Problem>) => void,
  ): void {
    if (source.text !== current().text) return;
    if (result instanceof Error) this.#fail("The converter failed", `${result.message}. Reloading the page may help.`);
    else if (isProblem(result)) this.#fail("Not recognised", result.problem);
    else show(result as Exclude<Done, Problem>);
  }

  #fail(title: string, problem: string): void {
    this.#showNothing();
    showProblem(title, problem);
  }

  #showNothing(): void {
    this.#identity = undefined;
    this.#outcomes = [];
    this.#controls.show(undefined);
    this.#views.show(tabs("request", []), viewOf(current(), "request"));
    this.#editor.mark([]);
    showNoFindings();
    showAbout(current().example, undefined);
    part("stage").replaceChildren(
      h("p", { class: "failure-panel" }, "What every provider would be sent is shown here."),
    );
    setBusy(false);
  }

  #showConversion({ identity, outcomes }: Tasks["convert"]["result"]): void {
    this.#identity = identity;
    this.#outcomes = outcomes;
    const { from, kind } = identity;
    const view = viewOf(current(), kind);
    this.#controls.show(identity);
    this.#views.show(tabs(kind, outcomes), view);
    showAbout(current().example, identity);
    this.#code.show({
      kind,
      from,
      to: this.#target(from),
      settings: current().settings,
      reading: view === "play",
    });
    this.#showView(view, identity);
  }

  #showView(view: View, { from, kind }: Identity): void {
    const { element } = { play: this.#player, roundTrip: this.#trip }[view as string] ?? this.#outputs;
    if (part("stage").firstChild !== element) part("stage").replaceChildren(element);
    const source = sourceOf(current());
    if (view !== "play") {
      this.#player.pause();
      this.#editor.showFrame(undefined);
    }
    if (view === "play") this.#playing.ask({ source, to: this.#target(from) });
    else if (view === "roundTrip") this.#roundTrip.ask({ source, via: current().via ?? "canonical" });
    else this.#showOutputs(view, from, kind);
  }

  #showOutputs(view: View, from: Dialect, kind: Kind): void {
    const isShown = (to: Dialect) => (view === "all" ? to !== from && sideBySide.includes(to) : to === view);
    const shown = this.#outcomes.filter(({ to }) => isShown(to));
    this.#outputs.show(shown, kind, view !== "all");
    this.#listFindings(shown);
  }

  async #showTrip(done: Tasks["roundTrip"]["result"]): Promise<void> {
    if (viewOf(current(), done.identity.kind) !== "roundTrip") return;
    this.#listFindings([done.there]);
    await this.#trip.show(done);
  }

  #showPlayed(done: Tasks["play"]["result"]): void {
    if (viewOf(current(), done.identity.kind) !== "play") return;
    const to = this.#target(done.identity.from);
    this.#player.show(done, current().text, to);
    this.#listFindings([{ to, findings: done.findings }]);
  }

  /** The format that was chosen last, or else the first format of another provider that accepts the source. */
  #target(from: Dialect): Dialect {
    const { view, target } = current();
    if (view && isDialect(view)) return view;
    const others = this.#outcomes.filter(({ to, text }) => to !== from && text !== undefined);
    return target ?? dialects.find((dialect) => others.some(({ to }) => to === dialect)) ?? "canonical";
  }

  #listFindings(shown: { to: Dialect; findings: Finding[] }[]): void {
    this.#editor.mark(shown.flatMap(({ findings }) => findings));
    showFindings(gathered(shown), { goTo: (place) => this.#editor.goTo(place), single: shown.length === 1 });
    setBusy(false);
  }
}

function setBusy(busy: boolean): void {
  part("stage").setAttribute("aria-busy", String(busy));
}

function tabs(kind: Kind, outcomes: Outcome[]) {
  const findingsOf = (dialect: Dialect) => outcomes.find(({ to }) => to === dialect)?.findings;
  const first: View[] = kind === "stream" ? ["play", "all", "roundTrip"] : ["all", "roundTrip"];
  return [...first, ...dialects].map((view) => ({
    view,
    label: viewName(view),
    findings: isDialect(view) ? findingsOf(view) : undefined,
  }));
}

async function openLink(): Promise<void> {
  try {
    const linked = await stateOf(location.hash);
    if (linked?.text !== undefined) return update({ example: undefined, ...linked });
    await showExample(linked?.example);
  } catch {
    announce("This link is damaged");
    await examples();
    await showExample(undefined);
  }
}

function sourceOf({ text, from, kind, settings }: State): Source {
  return { text, from, kind, settings };
}

function wanted({ text, view }: State, identity: Identity | undefined): Dialect[] {
  if (text.length <= large || view === undefined || view === "all" || !identity) return dialects;
  return isDialect(view) ? [view] : [];
}

function viewOf({ view }: State, kind: Kind): View {
  if (kind === "stream") return view ?? "play";
  return view === undefined || view === "play" ? "all" : view;
}

function isDialect(view: View): view is Dialect {
  return dialects.includes(view as Dialect);
}
