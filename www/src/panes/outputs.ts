// The targets: all side by side, or one of them.

import type { Dialect } from "toolwire";
import type { Kind, Outcome } from "../engine/protocol.ts";
import { h } from "../page/dom.ts";
import { update } from "../page/state.ts";
import { Card } from "./card.ts";

export class Outputs {
  readonly element = h("div", { class: "outputs" });
  #cards = new Map<Dialect, Card>();
  #single = false;

  show(outcomes: Outcome[], kind: Kind, single: boolean): void {
    this.#arrange(
      outcomes.map(({ to }) => to),
      single,
    );
    for (const outcome of outcomes) this.#cards.get(outcome.to)?.show(outcome, kind);
    // What can't be converted is short and goes last.
    this.element.classList.toggle("single", single);
  }

  #arrange(targets: Dialect[], single: boolean): void {
    if (single === this.#single && targets.join() === [...this.#cards.keys()].join()) return;
    for (const card of this.#cards.values()) card.destroy();
    this.#single = single;
    this.#cards = new Map(
      targets.map((to) => [to, single ? new Card(to) : new Card(to, () => update({ view: to, target: to }))]),
    );
    this.element.replaceChildren(...[...this.#cards.values()].map(({ element }) => element));
  }
}
