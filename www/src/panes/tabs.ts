// The tabs above the result: the targets, as many as fit, the others in a menu, and the views of all targets.

import type { Dialect } from "toolwire";
import type { Finding } from "../engine/protocol.ts";
import { aboutFormat, clientsOf } from "../page/clients.ts";
import { h, type Icon, icon, part } from "../page/dom.ts";
import { menu } from "../page/menu.ts";
import { dialectName } from "../page/names.ts";
import type { View } from "../page/state.ts";
import { badges } from "./badges.ts";

export interface Target {
  to: Dialect;
  findings?: Finding[] | undefined;
  refusals?: string[] | undefined;
  /** Only in the menu. */
  isRare: boolean;
}

const badgesOf = ({ findings, refusals }: Target) => (findings ? badges(findings, refusals) : []);

type Name = Dialect | Exclude<View, "one">;

/** The views of all targets, beside the tabs. */
const ofAll: { view: Exclude<View, "one">; label: string; drawing: Icon }[] = [
  { view: "matrix", label: "Matrix", drawing: "matrix" },
  { view: "all", label: "Side by side", drawing: "columns" },
];

export class Tabs {
  readonly #choose: (name: Name) => void;
  readonly #list = h("div", { class: "tabs", role: "tablist", "aria-label": "Results" });
  readonly #menuItems = h("div", { class: "more-targets" });
  readonly #more: HTMLElement;
  #buttons: HTMLButtonElement[] = [];
  #targets: Target[] = [];
  #current: Name = "all";
  #shown = "";

  constructor(choose: (name: Name) => void) {
    this.#choose = choose;
    this.#list.addEventListener("keydown", (event) => this.#move(event));
    const [button, panel] = menu("more", "More", undefined, this.#menuItems, 260);
    this.#more = button;
    part("views").append(this.#list, button, panel);
    new ResizeObserver(() => this.#arrange()).observe(part("views"));
  }

  show(targets: Target[], current: Name): void {
    this.#targets = targets;
    this.#current = current;
    const described = JSON.stringify(
      targets.map(({ to, isRare, findings, refusals }) => [
        to,
        isRare,
        findings?.map(({ severity }) => severity),
        refusals,
      ]),
    );
    if (described !== this.#shown) this.#build();
    this.#shown = described;
    this.#arrange();
  }

  #build(): void {
    const focused = this.#buttons.find((button) => button === document.activeElement)?.dataset.view;
    this.#buttons = [
      ...this.#targets.map((target) => {
        const tab = this.#tab(target.to, dialectName(target.to), ...badgesOf(target));
        tab.title = aboutFormat(target.to);
        return tab;
      }),
      ...ofAll.map(({ view, label, drawing }) => {
        const tab = this.#tab(view, icon(drawing), h("span", { class: "view-name" }, label));
        tab.classList.add("of-all");
        tab.setAttribute("aria-label", label);
        tab.title = label;
        return tab;
      }),
    ];
    this.#list.replaceChildren(...this.#buttons);
    this.#buttons.find(({ dataset }) => dataset.view === focused)?.focus();
  }

  #tab(name: Name, ...label: (Node | string)[]): HTMLButtonElement {
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `view-${name}`,
        class: "tab",
        "data-view": name,
        "aria-controls": "stage",
        onclick: () => this.#choose(name),
      },
      ...label,
    );
  }

  /** Shows the tabs that fit, always the current one, and lists the others in the menu. */
  #arrange(): void {
    // first, because the current tab is wider
    for (const button of this.#buttons) {
      const isCurrent = button.dataset.view === this.#current;
      button.setAttribute("aria-selected", String(isCurrent));
      button.tabIndex = isCurrent ? 0 : -1;
      if (isCurrent) part("stage").setAttribute("aria-labelledby", button.id);
    }
    const tabs = this.#buttons.slice(0, this.#targets.length);
    this.#more.hidden = true;
    this.#list.toggleAttribute("data-tight", false);
    for (const [index, tab] of tabs.entries()) tab.hidden = this.#isInMenu(index);
    const overflows = () => this.#list.scrollWidth > this.#list.clientWidth + 1;
    this.#more.hidden = !this.#targets.some((_, index) => this.#isInMenu(index)) && !overflows();
    // first the names of the views of all targets make room
    this.#list.toggleAttribute("data-tight", overflows());
    for (const tab of tabs.toReversed()) {
      if (!overflows()) break;
      if (tab.dataset.view !== this.#current) tab.hidden = true;
    }
    const rest = this.#targets.filter((_, index) => tabs[index]?.hidden);
    this.#menuItems.replaceChildren(...rest.map((target) => this.#item(target)));
  }

  #isInMenu(index: number): boolean {
    const target = this.#targets[index];
    return target?.isRare === true && target.to !== this.#current;
  }

  #item(target: Target): HTMLElement {
    const { to } = target;
    const clients = clientsOf(to);
    const onclick = () => {
      this.#menuItems.closest<HTMLElement>("[popover]")?.hidePopover();
      this.#choose(to);
    };
    return h(
      "button",
      { type: "button", class: "more-target", "data-more": to, title: aboutFormat(to), onclick },
      h("span", {}, dialectName(to), clients !== "" && h("small", {}, clients)),
      h("span", { class: "badges" }, ...badgesOf(target)),
    );
  }

  #move(event: KeyboardEvent): void {
    const visible = this.#buttons.filter((button) => !button.hidden);
    const at = visible.indexOf(document.activeElement as HTMLButtonElement);
    const last = visible.length - 1;
    const steps = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    const next = steps[event.key as keyof typeof steps];
    const button = next === undefined ? undefined : visible[next];
    if (at < 0 || !button?.dataset.view) return;
    event.preventDefault();
    button.focus();
    this.#choose(button.dataset.view as Name);
  }
}
