// The tabs above the result.

import type { Outcome } from "../engine/protocol.ts";
import { h, part } from "../page/dom.ts";
import { dialectName } from "../page/names.ts";
import type { View } from "../page/state.ts";
import { badges } from "./badges.ts";

interface Tab {
  view: View;
  label: string;
  findings?: Outcome["findings"] | undefined;
}

const fixed: Partial<Record<View, string>> = { play: "Play", all: "Side by side", roundTrip: "Round trip" };

export function viewName(view: View): string {
  return fixed[view] ?? dialectName(view as Exclude<View, "play" | "all" | "roundTrip">);
}

export class Views {
  readonly #choose: (view: View) => void;
  #buttons: HTMLButtonElement[] = [];
  #shown = "";

  constructor(choose: (view: View) => void) {
    this.#choose = choose;
    const list = part("views");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Results");
    list.addEventListener("keydown", (event) => this.#move(event));
  }

  show(tabs: Tab[], current: View): void {
    const description = JSON.stringify(
      tabs.map(({ view, findings }) => [view, findings?.map(({ severity }) => severity)]),
    );
    if (description !== this.#shown) this.#build(tabs);
    this.#shown = description;
    for (const button of this.#buttons) {
      const isCurrent = button.dataset.view === current;
      button.setAttribute("aria-selected", String(isCurrent));
      button.tabIndex = isCurrent ? 0 : -1;
      if (isCurrent) {
        part("stage").setAttribute("aria-labelledby", button.id);
        const list = part("views");
        if (
          button.offsetLeft < list.scrollLeft ||
          button.offsetLeft + button.offsetWidth > list.scrollLeft + list.clientWidth
        ) {
          list.scrollLeft = button.offsetLeft - 40;
        }
      }
    }
  }

  #build(tabs: Tab[]): void {
    const focused = this.#buttons.find((button) => button === document.activeElement)?.dataset.view;
    this.#buttons = tabs.map(({ view, label, findings }) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `view-${view}`,
          class: view in fixed ? "tab fixed" : "tab",
          "data-view": view,
          "aria-controls": "stage",
          onclick: () => this.#choose(view),
        },
        label,
        ...(findings ? badges(findings) : []),
      ),
    );
    part("views").replaceChildren(...this.#buttons);
    this.#buttons.find(({ dataset }) => dataset.view === focused)?.focus();
  }

  #move(event: KeyboardEvent): void {
    const at = this.#buttons.indexOf(document.activeElement as HTMLButtonElement);
    const last = this.#buttons.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const button = next === undefined ? undefined : this.#buttons[next];
    if (at < 0 || !button?.dataset.view) return;
    event.preventDefault();
    button.focus();
    this.#choose(button.dataset.view as View);
  }
}
