// The output for one target, large, with how it is sent, and ways to take it along.

import { Viewer } from "../editor/viewer.ts";
import type { Identity, Outcome, Verdict } from "../engine/protocol.ts";
import { copyButton, download } from "../page/clipboard.ts";
import { h, icon, iconButton, withCode } from "../page/dom.ts";
import { bytesText, dialectName, fileName, modelDoubt, refusals, sentence } from "../page/names.ts";
import { sending } from "../page/sending.ts";
import { current, type Mode, update } from "../page/state.ts";
import { CodeMenu } from "./code-menu.ts";
import { verdicts } from "./verdicts.ts";

/** Longer outputs are shown in part, so that the page stays responsive. */
const longestShown = 2_000_000;

export class Result {
  readonly element: HTMLElement;
  readonly #facts = h("div", { class: "facts" });
  readonly #modes = h("div", { class: "modes", role: "group", "aria-label": "Show" });
  readonly #body = h("div", { class: "card-body" });
  readonly #foot = h("p", { class: "card-foot" });
  readonly #code = new CodeMenu();
  readonly #model: HTMLInputElement;
  readonly #modelLabel: HTMLElement;
  readonly #modelDoubt: HTMLElement;
  readonly #tools: HTMLElement;
  #viewer: Viewer | undefined;
  #outcome: Outcome | undefined;
  #identity: Identity | undefined;
  #verdict: Verdict | undefined;

  constructor() {
    this.#model = h("input", {
      id: "model",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      onchange: () => this.#chooseModel(),
    });
    this.#modelLabel = h("label", { class: "model" }, h("span", {}, "model"), this.#model);
    this.#modelDoubt = h("p", { class: "doubt", id: "model-doubt" });
    const text = () => this.#outcome?.text ?? "";
    this.#tools = h(
      "span",
      { class: "card-tools" },
      ...this.#code.elements,
      copyButton("the output", text),
      iconButton("download", "Download the output", () =>
        download(text(), fileName(this.#identity?.kind ?? "request", this.#outcome?.to ?? "canonical")),
      ),
    );
    this.element = h(
      "article",
      { class: "card whole" },
      h("header", { class: "result-head" }, this.#facts, this.#modes, this.#tools),
      this.#modelDoubt,
      this.#body,
      this.#foot,
    );
  }

  /** Where the output is shown; the player and the round trip take its place. */
  get body(): HTMLElement {
    return this.#body;
  }

  /** Shows the head, and returns whether there is an output. */
  showHead(outcome: Outcome, identity: Identity, mode: Mode): boolean {
    if (outcome.to !== this.#outcome?.to) this.#verdict = undefined;
    this.#outcome = outcome;
    this.#identity = identity;
    this.element.dataset.to = outcome.to;
    this.element.setAttribute("aria-label", dialectName(outcome.to));
    this.element.toggleAttribute("data-failed", outcome.text === undefined);
    this.#showCall(outcome);
    this.#showModes(mode);
    this.#code.show(outcome, identity, mode);
    this.#tools.hidden = this.#modes.hidden = outcome.text === undefined;
    return outcome.text !== undefined;
  }

  /** The verdict of the round trip, which takes a second conversion. */
  showVerdict(verdict: Verdict | undefined, mode: Mode): void {
    this.#verdict = verdict;
    this.#showModes(mode);
  }

  /** Returns whether the text is new: not one that was edited a little. */
  showText({ text, findings }: Outcome, isNew: boolean): void {
    if (text === undefined) {
      this.drop();
      const failure = findings.at(-1);
      const words = h("span", {}, sentence(failure?.message ?? ""), h("code", {}, failure?.code ?? ""));
      this.#body.replaceChildren(h("p", { class: "failure" }, icon("error"), words));
      this.#foot.textContent = "";
      return;
    }
    if (!this.#viewer) {
      this.#body.replaceChildren();
      this.#viewer = new Viewer(this.#body, "Output");
    }
    const isWhole = text.length <= longestShown;
    this.#viewer.setText(isWhole ? text : text.slice(0, longestShown));
    if (isNew) this.#viewer.showCall();
    this.#foot.textContent = isWhole
      ? ""
      : `The first ${bytesText(longestShown)} of ${bytesText(text.length)}. Copy and download give all of it.`;
  }

  goTo(place: { from: number; to: number }): void {
    this.#viewer?.goTo(place);
  }

  /** Removes what the body shows. */
  drop(): void {
    this.#viewer?.destroy();
    this.#viewer = undefined;
    this.#foot.textContent = "";
    this.#body.replaceChildren();
  }

  #showCall(outcome: Outcome): void {
    const { to, call } = outcome;
    const { method, headers } = sending(to, current().settings);
    const version = Object.entries(headers).find(([name]) => name.endsWith("-version"));
    this.#facts.replaceChildren(
      ...(call?.path
        ? [h("code", { class: "path-of-call" }, `${method} ${call.path}`)]
        : [h("strong", {}, dialectName(to))]),
      ...(version && call?.path ? [h("code", {}, version.join(": "))] : []),
    );
    if (!call) {
      this.#modelDoubt.replaceChildren();
      return;
    }
    this.#facts.append(this.#modelLabel);
    if (document.activeElement !== this.#model) this.#model.value = call.model ?? "";
    this.#model.placeholder = "none";
    const doubt = modelDoubt(outcome);
    this.#modelLabel.toggleAttribute("data-doubt", doubt !== undefined);
    if (doubt) this.#model.setAttribute("aria-describedby", "model-doubt");
    else this.#model.removeAttribute("aria-describedby");
    const doubts = refusals(outcome).flatMap((words) => [icon("lossy"), h("span", {}, ...withCode(words))]);
    this.#modelDoubt.replaceChildren(...doubts);
  }

  #chooseModel(): void {
    const { model: _, ...others } = current().settings;
    const model = this.#model.value.trim();
    update({ settings: model === "" ? others : { ...others, model } });
  }

  #showModes(mode: Mode): void {
    const isStream = this.#identity?.kind === "stream";
    const { title, short, clean } = this.#verdict
      ? verdicts[this.#verdict]
      : { title: "To this format and back", short: "", clean: undefined };
    const button = (to: Mode, description: string, ...label: (Node | string)[]) =>
      h(
        "button",
        {
          type: "button",
          class: `mode${to === "trip" && clean !== undefined ? (clean ? " clean" : " lossy") : ""}`,
          "data-mode": to,
          "aria-pressed": String(to === mode),
          title: description,
          onclick: () => update({ mode: to }),
        },
        ...label,
      );
    const focused = this.#modes.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.mode
      : undefined;
    this.#modes.replaceChildren(
      ...(isStream ? [button("play", "Event by event", "Events")] : []),
      button("text", "What the target is sent", isStream ? "Text" : "Body"),
      ...(this.#outcome?.call?.path
        ? [button("exchange", "What the server responds, and what the client gets", "Exchange")]
        : []),
      button(
        "trip",
        title,
        "Round trip",
        // its place is kept, so that nothing moves when the verdict arrives
        h("span", { class: "verdict-sign" }, clean !== undefined && icon(clean ? "check" : "lossy")),
        h("span", { class: "verdict-word" }, short),
      ),
    );
    if (focused) this.#modes.querySelector<HTMLElement>(`[data-mode="${focused}"]`)?.focus();
  }
}
