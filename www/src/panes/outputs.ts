// Shows the outputs for all targets side by side.

import type { Dialect } from "toolwire";
import type { Kind, Outcome } from "../engine/protocol.ts";
import { h } from "../page/dom.ts";
import { Card } from "./card.ts";

export class Outputs {
  readonly element = h("div", { class: "outputs" });
  readonly #open: (to: Dialect) => void;
  #cards = new Map<Dialect, Card>();

  constructor(open: (to: Dialect) => void) {
    this.#open = open;
  }

  show(outcomes: Outcome[], kind: Kind): void {
    const targets = outcomes.map(({ to }) => to);
    if (targets.join() !== [...this.#cards.keys()].join()) this.#arrange(targets);
    for (const outcome of outcomes) this.#cards.get(outcome.to)?.show(outcome, kind);
  }

  #arrange(targets: Dialect[]): void {
    for (const card of this.#cards.values()) card.destroy();
    this.#cards = new Map(targets.map((to) => [to, new Card(to, () => this.#open(to))]));
    this.element.replaceChildren(...[...this.#cards.values()].map(({ element }) => element));
  }
}
