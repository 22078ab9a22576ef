// Shows the targets: all side by side, or one of them.

import type { Dialect } from "toolwire";
import type { Finding, Kind, Outcome } from "../engine/protocol.ts";
import { h, icon } from "../page/dom.ts";
import { sentence } from "../page/names.ts";
import { update } from "../page/state.ts";
import { Card } from "./card.ts";

/** The error that all targets have in common, if there are several targets. */
function commonFailure(outcomes: Outcome[]): Finding | undefined {
  const [first, ...others] = outcomes.map(({ text, findings }) => (text === undefined ? findings.at(-1) : undefined));
  const isCommon = others.length > 0 && others.every((other) => other?.message === first?.message);
  return isCommon ? first : undefined;
}

export class Outputs {
  readonly element = h("div", { class: "outputs" });
  #cards = new Map<Dialect, Card>();
  #single = false;

  show(outcomes: Outcome[], kind: Kind, single: boolean): void {
    const failure = commonFailure(outcomes);
    if (failure) {
      this.#showFailure(failure);
      return;
    }
    this.#arrange(
      outcomes.map(({ to }) => to),
      single,
    );
    for (const outcome of outcomes) this.#cards.get(outcome.to)?.show(outcome, kind);
    this.element.classList.toggle("single", single);
  }

  /** An error that prevents all conversions is shown once. */
  #showFailure({ code, message }: Finding): void {
    this.#arrange([], false);
    const text = h("p", { class: "failure-text" }, icon("error"), sentence(message));
    this.element.replaceChildren(h("div", { class: "failure-panel" }, text, h("code", {}, code)));
  }

  #arrange(targets: Dialect[], single: boolean): void {
    if (single === this.#single && targets.length > 0 && targets.join() === [...this.#cards.keys()].join()) return;
    for (const card of this.#cards.values()) card.destroy();
    this.#single = single;
    this.#cards = new Map(
      targets.map((to) => [to, single ? new Card(to) : new Card(to, () => update({ view: to, target: to }))]),
    );
    this.element.replaceChildren(...[...this.#cards.values()].map(({ element }) => element));
  }
}
