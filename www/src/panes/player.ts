// Plays a stream event by event: the input, its canonical events, the output, and the response so far.

import "../styles/player.css";
import type { Dialect } from "toolwire";
import type { Place, Step, Tasks } from "../engine/protocol.ts";
import { h, type Icon, icon, iconButton } from "../page/dom.ts";
import { dialectName } from "../page/names.ts";
import { type ResponseSoFar, Responses, responseView } from "./response.ts";
import { stepRow } from "./step-row.ts";
import { Timeline } from "./timeline.ts";

type Played = Tasks["play"]["result"];

const speeds = [
  { label: "slow", pause: 900 },
  { label: "normal", pause: 350 },
  { label: "fast", pause: 60 },
];

/** How long the source waits before it follows, in milliseconds. */
const delay = 80;

interface Wishes {
  showFrame(place: Place | undefined): void;
}

export class Player {
  readonly element: HTMLElement;
  readonly #wishes: Wishes;
  readonly #speed: HTMLSelectElement;
  readonly #slider: HTMLInputElement;
  readonly #counter: HTMLElement;
  readonly #playButton: HTMLButtonElement;
  readonly #response: HTMLElement;
  readonly #showResponse: (response: ResponseSoFar) => void;
  readonly #timeline: Timeline;
  readonly #heads: HTMLElement;
  #played: Played | undefined;
  #source = "";
  #responses = new Responses([]);
  #at = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #following: ReturnType<typeof setTimeout> | undefined;

  constructor(wishes: Wishes) {
    this.#wishes = wishes;
    this.#speed = h("select", { id: "speed" }, ...speeds.map(({ label }) => h("option", { value: label }, label)));
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
    this.#showResponse = responseView(this.#response);
    this.#heads = h("div", { class: "step-heads", "aria-hidden": "true" });
    this.#timeline = new Timeline(this.#heads, (index) => this.#row(index));
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
        h("label", { for: "speed" }, "Speed"),
        h("div", { class: "choice" }, this.#speed),
      ),
      this.#response,
      this.#timeline.element,
    );
  }

  show(played: Played, source: string, to: Dialect): void {
    const isNew = source !== this.#source;
    this.#played = played;
    this.#source = source;
    this.#responses = new Responses(played.steps);
    this.#timeline.reset();
    this.#heads.replaceChildren(
      h("span", {}, `In · ${dialectName(played.identity.from)}`),
      h("span", {}, "Canonical events"),
      h("span", {}, `Out · ${dialectName(to)}`),
    );
    this.#slider.max = String(played.steps.length);
    // a pasted stream is shown whole until the user plays it
    this.#seek(isNew ? played.steps.length : Math.min(this.#at, played.steps.length), true);
  }

  /** Pauses at the current position, because a hidden player must not continue. */
  pause(): void {
    clearTimeout(this.#following);
    this.#following = undefined;
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
    this.#showResponse(this.#responses.after(this.#at));
    // last, because the response leaves it more or less room
    this.#timeline.show(this.#at, { follow: !quiet });
    if (!quiet) this.#showFrame();
  }

  /** The source follows after a moment, so that steps in quick succession do not wait for its lines to be drawn. */
  #showFrame(): void {
    this.#following ??= setTimeout(() => {
      this.#following = undefined;
      this.#wishes.showFrame(this.#steps[this.#at - 1]?.wire);
    }, delay);
  }

  #row(index: number): HTMLElement {
    const wireOf = (step: Step | undefined) => step?.wire && this.#source.slice(step.wire.from, step.wire.to);
    const step = this.#steps[index] ?? { events: [], output: "" };
    const row = { step, wire: wireOf(step), before: wireOf(this.#steps[index - 1]), index, count: this.#steps.length };
    return stepRow(row, () => this.#seek(index + 1));
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
