// Shows what comes back from a conversion to another format.

import "../styles/trip.css";
import type { Tasks } from "../engine/protocol.ts";
import { h, icon } from "../page/dom.ts";
import { dialectName } from "../page/names.ts";
import { badges } from "./badges.ts";
import { verdicts } from "./verdicts.ts";

type Shown = Tasks["roundTrip"]["result"];

/** Comparing longer texts would block the page. */
const longestCompared = 600_000;

export class RoundTrip {
  readonly element: HTMLElement;
  readonly #path = h("span", { class: "trip-from" });
  readonly #verdict = h("div", { class: "verdict" });
  readonly #back = h("div", { class: "card-body" });
  #drop: () => void = () => {};
  #showing = 0;

  constructor() {
    this.element = h("div", { class: "trip" }, h("div", { class: "trip-head" }, this.#path, this.#verdict), this.#back);
  }

  async show({ identity, there, back, original, verdict }: Shown): Promise<void> {
    const showing = ++this.#showing;
    this.#path.textContent = `${dialectName(identity.from)} → ${dialectName(there.to)} → ${dialectName(identity.from)}`;
    const { title, clean } = verdicts[verdict];
    this.#verdict.className = `verdict ${clean ? "clean" : "lossy"}`;
    const findings = [...there.findings, ...(back?.findings ?? [])];
    this.#verdict.replaceChildren(
      ...(findings.length > 0 ? badges(findings) : []),
      h("strong", {}, icon(clean ? "check" : "lossy"), title),
    );
    const returned = back?.text ?? back?.findings.at(-1)?.message ?? "";
    const { showDifference } = await import("../editor/diff.ts");
    if (showing !== this.#showing) return;
    this.#drop();
    this.#back.replaceChildren();
    const isCompared =
      ["different", "response"].includes(verdict) && original.length + returned.length < longestCompared;
    this.#drop = showDifference(this.#back, isCompared ? original : returned, returned);
  }
}
