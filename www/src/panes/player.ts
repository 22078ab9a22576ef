// Plays a stream event by event: the input, its canonical events, the output, and the response so far.

import type { Dialect } from "toolwire";
import type { Place, Tasks } from "../engine/protocol.ts";
import { h, type Icon, icon, iconButton } from "../page/dom.ts";
import { dialectName, dialects } from "../page/names.ts";
import { responseElements, responseOf } from "./response.ts";
import { stepRow } from "./step-row.ts";

type Played = Tasks["play"]["result"];

const speeds = [
  { label: "slow", pause: 900 },
  { label: "normal", pause: 350 },
  { label: "fast", pause: 60 },
];

interface Wishes {
  choose(to: Dialect): void;
  showFrame(place: Place | undefined): void;
}

export class Player {
  readonly element: HTMLElement;
  readonly #wishes: Wishes;
  readonly #target: HTMLSelectElement;
  readonly #speed: HTMLSelectElement;
  readonly #slider: HTMLInputElement;
  readonly #counter: HTMLElement;
  readonly #playButton: HTMLButtonElement;
  readonly #response: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #heads: HTMLElement;
  #played: Played | undefined;
  #source = "";
  #at = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(wishes: Wishes) {
    this.#wishes = wishes;
    this.#target = h(
      "select",
      { "aria-label": "Wire out", onchange: () => wishes.choose(this.#target.value as Dialect) },
      ...dialects.map((dialect) => h("option", { value: dialect }, dialectName(dialect))),
    );
    this.#speed = h(
      "select",
      { "aria-label": "Speed" },
      ...speeds.map(({ label }) => h("option", { value: label }, label)),
    );
    this.#speed.value = "normal";
    this.#slider = h("input", {
      type: "range",
      min: 0,
      value: 0,
      "aria-label": "Event",
      oninput: () => this.#seek(this.#slider.valueAsNumber),
    });
    this.#counter = h("span", { class: "counter" });
    this.#playButton = iconButton("play", "Play", () => this.#toggle());
    this.#playButton.classList.add("primary");
    this.#response = h("div", { class: "response", tabindex: 0, role: "region", "aria-label": "The response so far" });
    this.#rows = h("ol", { class: "steps" });
    this.#heads = h("div", { class: "step-heads", "aria-hidden": "true" });
    this.element = h(
      "div",
      { class: "player" },
      h(
        "div",
        { class: "transport" },
        iconButton("restart", "Back to the start", () => this.#seek(0)),
        iconButton("previous", "Previous event", () => this.#seek(this.#at - 1)),
        this.#playButton,
        iconButton("next", "Next event", () => this.#seek(this.#at + 1)),
        this.#slider,
        this.#counter,
        h("div", { class: "choice" }, this.#speed),
        h("div", { class: "choice" }, this.#target),
      ),
      this.#response,
      h("div", { class: "timeline", tabindex: 0, role: "region", "aria-label": "Events" }, this.#heads, this.#rows),
    );
  }

  show(played: Played, source: string, to: Dialect): void {
    const isNew = source !== this.#source;
    this.#played = played;
    this.#source = source;
    this.#target.value = to;
    this.#heads.replaceChildren(
      h("span", {}, `In · ${dialectName(played.identity.from)}`),
      h("span", {}, "Canonical events"),
      h("span", {}, `Out · ${dialectName(to)}`),
    );
    this.#slider.max = String(played.steps.length);
    this.#rows.replaceChildren(
      ...played.steps.map((step, index) => stepRow(step, source, index, () => this.#seek(index + 1))),
    );
    // a pasted stream is shown whole until the user plays it
    this.#seek(isNew ? played.steps.length : Math.min(this.#at, played.steps.length), true);
  }

  /** Pauses at the current position, because a hidden player must not continue. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#face("play", "Play");
  }

  #toggle(): void {
    if (this.#timer !== undefined) {
      this.pause();
      return;
    }
    if (this.#at >= this.#steps.length) this.#seek(0);
    this.#face("pause", "Pause");
    this.#tick();
  }

  #tick(): void {
    const pause = speeds.find(({ label }) => label === this.#speed.value)?.pause ?? 350;
    this.#timer = setTimeout(() => {
      this.#move(this.#at + 1);
      if (this.#at < this.#steps.length) this.#tick();
      else this.pause();
    }, pause);
  }

  #seek(to: number, quiet = false): void {
    this.pause();
    this.#move(to, quiet);
  }

  #move(to: number, quiet = false): void {
    this.#at = Math.max(0, Math.min(to, this.#steps.length));
    this.#slider.value = String(this.#at);
    this.#slider.setAttribute("aria-valuetext", `${this.#at} of ${this.#steps.length} events`);
    this.#counter.textContent = `${this.#at} / ${this.#steps.length}`;
    for (const [index, row] of [...this.#rows.children].entries()) {
      row.toggleAttribute("data-later", index >= this.#at);
      row.toggleAttribute("data-now", index === this.#at - 1);
    }
    const events = this.#steps.slice(0, this.#at).flatMap((step) => step.events);
    this.#response.replaceChildren(...responseElements(responseOf(events)));
    if (quiet) return;
    const step = this.#steps[this.#at - 1];
    this.#wishes.showFrame(step?.wire);
    this.#keepInSight(this.#rows.children[this.#at - 1]);
  }

  /** Scrolls only the list, never the page. */
  #keepInSight(row: Element | undefined): void {
    const list = this.#rows.parentElement;
    if (!row || !list || list.scrollHeight <= list.clientHeight) return;
    const below = row.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom + 24;
    const above = row.getBoundingClientRect().top - list.getBoundingClientRect().top - 48;
    if (below > 0) list.scrollTop += Math.min(below, Math.max(above, 0));
    // not at the top, so that the preceding events stay visible
    else if (above < 0) list.scrollTop += above - list.clientHeight / 3;
  }

  get #steps(): Played["steps"] {
    return this.#played?.steps ?? [];
  }

  #face(name: Icon, label: string): void {
    this.#playButton.replaceChildren(icon(name));
    this.#playButton.setAttribute("aria-label", label);
    this.#playButton.title = label;
  }
}
