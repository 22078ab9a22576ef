// Connects the parts of the page: source, conversion in the worker, findings and results.

import type { Dialect } from "toolwire";
import { SourceEditor } from "../editor/source.ts";
import { ask, latest, startEngine } from "../engine/client.ts";
import {
  type Finding,
  type Identity,
  isProblem,
  type Outcome,
  type Problem,
  type Source,
  type Tasks,
} from "../engine/protocol.ts";
import { firstTarget } from "../first-description.ts";
import { showAbout } from "../panes/about.ts";
import type { Exchange } from "../panes/exchange.ts";
import { failurePanel } from "../panes/failure.ts";
import { gathered, showFindings, showNoFindings, showProblem } from "../panes/findings.ts";
import { buildHeader } from "../panes/header.ts";
import type { Outputs } from "../panes/outputs.ts";
import type { Player } from "../panes/player.ts";
import { Result } from "../panes/result.ts";
import type { RoundTrip } from "../panes/round-trip.ts";
import { noteResult } from "../panes/shown.ts";
import { buildSides } from "../panes/sides.ts";
import { buildSourceControls } from "../panes/source-controls.ts";
import { Tabs } from "../panes/tabs.ts";
import { followAddress, openAddress } from "./address.ts";
import { announce, h, part } from "./dom.ts";
import { acceptFiles } from "./files.ts";
import { counted, dialectName, dialects, kindNames, providers, refusals, severityNames, sideBySide } from "./names.ts";
import { inSection, takeInSection } from "./section.ts";
import { changedSince, current, type Mode, newSource, onChange, type State, update, views } from "./state.ts";

/** Longer sources are converted only to visible targets. */
const large = 200_000;

/** For how long the page waits for another key, in milliseconds: the longer the source, the more there is to show. */
const pauseFor = ({ length }: string) => Math.min(250, 30 + length / 4000);

export function startPage(): void {
  startEngine();
  buildHeader();
  const page = new Page();
  onChange((state, changed) => page.update(state, changed));
  acceptFiles((text) => {
    if (inSection()) takeInSection(text);
    else page.replace(text);
  });
  for (const event of ["click", "keyup"] as const) {
    part("bench").addEventListener(event, async (pressed) => (await import("../panes/links.ts")).follow(pressed));
  }
  followAddress();
  openAddress();
}

class Page {
  readonly #controls = buildSourceControls();
  readonly #editor = new SourceEditor(part("source-editor"), {
    edited: (text) => {
      if (text !== current().text) update({ text, example: undefined, recorded: undefined });
    },
    replaced: (text) => this.replace(text),
  });
  readonly #sides = buildSides();
  readonly #tabs = new Tabs((name) => {
    const view = views.find((one) => one === name);
    // the answer of one server is not that of another
    update(view ? { view } : { view: "one", target: name as Dialect, answer: undefined });
  });
  readonly #result = new Result();
  // loaded when they are first shown
  #outputs: Outputs | undefined;
  #trip: RoundTrip | undefined;
  #player: Player | undefined;
  #exchange: Exchange | undefined;
  readonly #conversion = latest("convert", (result, task) =>
    this.#take(result, task, (done) => this.#showConversion(done)),
  );
  readonly #roundTrip = latest("roundTrip", (result, task) => this.#take(result, task, (done) => this.#showTrip(done)));
  readonly #exchanging = latest("exchange", (result, task) =>
    this.#take(result, task, (done) => this.#showExchange(done)),
  );
  readonly #playing = latest("play", (result, task) => this.#take(result, task, (done) => this.#showPlayed(done)));
  #identity: Identity | undefined;
  #outcomes: Outcome[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the source is another one, not an edited one. */
  #isNew = true;

  /** Shows another source, as pasted, dropped or opened. What surrounds a body is taken off. What is chosen in the meantime stays. */
  async replace(text: string): Promise<void> {
    this.#isNew = true;
    update(newSource(text));
    if (text.trim() === "") return;
    setBusy(true);
    const before = current();
    const { reading } = (await ask("read", { text }).catch(() => ({ reading: undefined }))) as Tasks["read"]["result"];
    if (!reading || current().text !== text) return;
    const { steps, ...found } = reading;
    this.#isNew = true;
    const chosen = changedSince(before);
    update({ ...newSource(found.text), ...found, pasted: { original: text, steps }, ...chosen });
  }

  /** Handles a change of the source or the view. */
  update({ text, example }: State, changed: ReadonlySet<keyof State>): void {
    if (changed.has("example") && example !== undefined) this.#isNew = true;
    if (changed.has("text")) this.#editor.setText(text);
    if (changed.size === 1 && changed.has("pasted")) return;
    clearTimeout(this.#timer);
    if (text.trim() === "") {
      this.#showNothing();
      return;
    }
    setBusy(true);
    const wait = changed.has("text") ? pauseFor(text) : 0;
    this.#timer = setTimeout(() => {
      this.#conversion.ask({ source: sourceOf(current()), targets: wanted(current(), this.#identity) });
    }, wait);
  }

  /** Results for an outdated source, or for outdated options, are ignored: those for the current ones follow. */
  #take<Done extends object>(
    result: Done | Problem | Error,
    { source }: { source: Source },
    show: (done: Exclude<Done, Problem>) => void,
  ): void {
    if (!isCurrent(source)) return;
    if (result instanceof Error) this.#fail("The converter failed", `${result.message}. Reloading the page may help.`);
    else if (isProblem(result)) this.#fail("Not recognised", result.problem);
    else show(result as Exclude<Done, Problem>);
  }

  #fail(title: string, problem: string): void {
    this.#showNothing();
    showProblem(title, problem, isChosen(current()) ? () => update({ from: undefined, kind: undefined }) : undefined);
    announce(`${title}: ${problem}`, { isVisible: false });
  }

  #showNothing(): void {
    this.#identity = undefined;
    this.#outcomes = [];
    noteResult(undefined);
    this.#controls.show(undefined);
    this.#tabs.show(
      dialects.map((to) => ({ to, isRare: !providers.includes(to) })),
      current().view === "one" ? (current().target ?? firstTarget) : (current().view as "all" | "matrix"),
    );
    this.#editor.mark([]);
    showNoFindings();
    showAbout(current(), undefined);
    this.#show(h("p", { class: "failure-panel" }, "What every provider would be sent is shown here."));
    this.#sides.show([]);
    setBusy(false);
  }

  #showConversion({ identity, outcomes }: Tasks["convert"]["result"]): void {
    this.#identity = identity;
    this.#outcomes = outcomes;
    const { view } = current();
    const target = this.#target();
    this.#controls.show(identity);
    this.#tabs.show(this.#targets(), view === "one" ? target : view);
    const own = outcomes.find(({ to }) => to === identity.from);
    showAbout(current(), identity, current().target === identity.from ? 0 : own?.refused?.length);
    if (view === "matrix") this.#showMatrix(identity);
    else if (view === "all") this.#showAll(identity);
    else this.#showTarget(target, identity);
    const shown = view === "one" ? outcomes.filter(({ to }) => to === target) : outcomes;
    this.#sides.time(shown.reduce((sum, outcome) => sum + (outcome.milliseconds ?? 0), 0));
    this.#announce(shown);
    this.#isNew = false;
  }

  async #showMatrix(identity: Identity): Promise<void> {
    const { showMatrix } = await import("../panes/matrix.ts");
    if (identity !== this.#identity || current().view !== "matrix") return;
    this.#show(showMatrix(current().text, this.#outcomes, identity, (place) => this.#goTo(place)));
    this.#listFindings(this.#outcomes.filter(({ to }) => providers.includes(to) && to !== identity.from));
  }

  async #showAll(identity: Identity): Promise<void> {
    const { Outputs } = await import("../panes/outputs.ts");
    if (identity !== this.#identity || current().view !== "all") return;
    this.#outputs ??= new Outputs((target) => update({ view: "one", target }));
    const shown = this.#outcomes.filter(({ to }) => to !== identity.from && sideBySide.includes(to));
    this.#outputs.show(shown, identity.kind);
    this.#show(this.#outputs.element);
    this.#listFindings(shown);
  }

  #showTarget(to: Dialect, identity: Identity): void {
    const outcome = this.#outcomes.find((one) => one.to === to);
    if (!outcome) return;
    noteResult({ identity, outcome });
    const failure = commonFailure(this.#outcomes);
    if (failure) {
      this.#show(failurePanel(failure));
      this.#listFindings([outcome]);
      return;
    }
    const mode = modeOf(current(), identity);
    const exists = this.#result.showHead(outcome, identity, mode);
    this.#show(this.#result.element);
    const source = sourceOf(current());
    if (mode !== "play" || !exists) {
      this.#player?.pause();
      this.#editor.showFrame(undefined);
    }
    if (exists && mode === "play") this.#playing.ask({ source, to });
    else if (exists && mode === "exchange") this.#exchanging.ask({ source, to, answer: current().answer });
    else if (mode === "text" || !exists) {
      this.#result.showText(outcome, this.#isNew);
      this.#listFindings([outcome]);
    }
    const isShort = current().text.length <= large;
    if (exists && (mode === "trip" || isShort)) this.#roundTrip.ask({ source, via: to });
    else this.#result.showVerdict(undefined, mode);
    if (this.#isNew) this.#editor.showCall();
  }

  async #showTrip(done: Tasks["roundTrip"]["result"]): Promise<void> {
    const { view } = current();
    if (view !== "one" || done.there.to !== this.#target()) return;
    const mode = modeOf(current(), done.identity);
    this.#result.showVerdict(done.verdict, mode);
    if (mode !== "trip") return;
    const { RoundTrip } = await import("../panes/round-trip.ts");
    this.#trip ??= new RoundTrip();
    await this.#trip.show(done);
    if (current().mode !== "trip") return;
    this.#fill(this.#trip.element);
    this.#listFindings([done.there]);
  }

  async #showExchange(done: Tasks["exchange"]["result"]): Promise<void> {
    const { Exchange } = await import("../panes/exchange.ts");
    this.#exchange ??= new Exchange((answer) => update({ answer }));
    if (current().view !== "one" || done.to !== this.#target() || modeOf(current(), done.identity) !== "exchange")
      return;
    this.#fill(this.#exchange.element);
    const outcomes = this.#outcomes.filter(({ to }) => to === done.to);
    this.#exchange.show(done, outcomes[0]?.text);
    this.#listFindings(outcomes);
  }

  async #showPlayed(done: Tasks["play"]["result"]): Promise<void> {
    const { Player } = await import("../panes/player.ts");
    this.#player ??= new Player({ showFrame: (place) => this.#editor.showFrame(place) });
    const { view } = current();
    if (view !== "one" || modeOf(current(), done.identity) !== "play") return;
    const to = this.#target();
    this.#fill(this.#player.element);
    this.#player.show(done, current().text, to);
    this.#listFindings(this.#outcomes.filter((outcome) => outcome.to === to));
  }

  /** Fills the stage. */
  #show(element: HTMLElement): void {
    if (part("stage").firstChild !== element) part("stage").replaceChildren(element);
  }

  /** Fills the body of the result. */
  #fill(element: HTMLElement): void {
    if (this.#result.body.firstChild === element) return;
    this.#result.drop();
    this.#result.body.append(element);
  }

  /** The format that was chosen last, or else the first format of another provider that accepts the source. */
  #target(): Dialect {
    const { target } = current();
    const from = this.#identity?.from;
    if (target) return target;
    const isConverted = (to: Dialect) => this.#outcomes.some((one) => one.to === to && one.text !== undefined);
    const others = providers.filter((to) => to !== from);
    const usual: Dialect[] = [firstTarget, ...others];
    return usual.find((to) => to !== from && isConverted(to)) ?? others[0] ?? "canonical";
  }

  #targets() {
    return dialects.map((to) => ({
      to,
      isRare: !providers.includes(to) || to === this.#identity?.from,
      ...this.#outcomes.filter((outcome) => outcome.to === to).map(stateOf)[0],
    }));
  }

  #goTo(place: { from: number; to: number }): void {
    this.#sides.choose("source");
    this.#editor.goTo(place);
  }

  #listFindings(shown: Outcome[]): void {
    this.#editor.mark(shown.flatMap(({ findings }) => findings));
    showFindings(gathered(shown), {
      text: current().text,
      goTo: (place) => this.#goTo(place),
      choose: (target) => update({ view: "one", target }),
      single: shown.length === 1,
    });
    this.#sides.show(
      shown.flatMap(({ findings }) => findings),
      shown.flatMap(refusals),
    );
    setBusy(false);
  }

  /** What a conversion brought, for those who do not see it. */
  #announce(shown: Outcome[]): void {
    if (!this.#identity) return;
    const { from, kind } = this.#identity;
    const findings: Finding[] = shown.flatMap((outcome) => outcome.findings);
    const counts = (["error", "lossy", "note"] as const)
      .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
      .filter(({ count }) => count > 0)
      .map(({ severity, count }) => counted(count, severityNames[severity]));
    const to = shown.length === 1 && shown[0] ? dialectName(shown[0].to) : `${shown.length} formats`;
    const what = `${dialectName(from)} ${kindNames[kind].toLowerCase()} to ${to}`;
    const refused = shown.length === 1 && shown.flatMap(refusals).length > 0 ? "; it would be refused as it is" : "";
    announce(`${what}: ${counts.length > 0 ? counts.join(", ") : "nothing lost, nothing changed"}${refused}`, {
      isVisible: false,
    });
  }
}

const stateOf = (outcome: Outcome) => ({ findings: outcome.findings, refusals: refusals(outcome) });

function setBusy(busy: boolean): void {
  part("stage").setAttribute("aria-busy", String(busy));
}

function sourceOf({ text, from, kind, settings }: State): Source {
  return { text, from, kind, settings };
}

function isCurrent(source: Source): boolean {
  const now = sourceOf(current());
  return (Object.keys(now) as (keyof Source)[]).every((key) => source[key] === now[key]);
}

/** Whether format or kind are not detected. */
function isChosen({ from, kind }: State): boolean {
  return from !== undefined || kind !== undefined;
}

function wanted({ text, view, target }: State, identity: Identity | undefined): Dialect[] {
  return text.length <= large || view !== "one" || !identity || !target ? dialects : [target];
}

function modeOf({ mode }: State, { kind }: Identity): Mode {
  if (kind === "stream") return mode ?? "play";
  if (mode === "exchange" && kind === "request") return mode;
  return mode === "trip" ? mode : "text";
}

/** The error that all targets have in common. */
function commonFailure(outcomes: Outcome[]): Finding | undefined {
  const [first, ...others] = outcomes.map(({ text, findings }) => (text === undefined ? findings.at(-1) : undefined));
  return others.length > 0 && others.every((other) => other?.message === first?.message) ? first : undefined;
}
