// Shows a conversion to another format and back.

import type { Dialect } from "toolwire";
import { Viewer } from "../editor/viewer.ts";
import type { Tasks, Verdict } from "../engine/protocol.ts";
import { h, icon } from "../page/dom.ts";
import { dialectName, dialects } from "../page/names.ts";
import { badges } from "./badges.ts";

type Shown = Tasks["roundTrip"]["result"];

const verdicts: Record<Verdict, { title: string; clean: boolean }> = {
  identical: { title: "It came back the same, byte for byte", clean: true },
  order: { title: "It came back as the same JSON, with keys in another order", clean: true },
  different: { title: "It came back changed", clean: false },
  failed: { title: "It did not come back", clean: false },
};

/** Comparing longer texts would block the page. */
const longestCompared = 600_000;

export class RoundTrip {
  readonly element: HTMLElement;
  readonly #via: HTMLSelectElement;
  readonly #path: HTMLElement;
  readonly #verdict: HTMLElement;
  readonly #between: HTMLElement;
  readonly #back: HTMLElement;
  readonly #middle: Viewer;
  #drop: () => void = () => {};
  #showing = 0;

  constructor(choose: (via: Dialect) => void) {
    this.#via = h(
      "select",
      { id: "via", "aria-label": "Through", onchange: () => choose(this.#via.value as Dialect) },
      ...dialects.map((dialect) => h("option", { value: dialect }, dialectName(dialect))),
    );
    this.#path = h("span", { class: "trip-from" });
    this.#verdict = h("div", { class: "verdict", "aria-live": "polite" });
    this.#between = h("div", { class: "card-body" });
    this.#back = h("div", { class: "card-body" });
    this.#middle = new Viewer(this.#between, "In between");
    this.element = h(
      "div",
      { class: "trip" },
      h("div", { class: "trip-head" }, this.#path, h("div", { class: "choice" }, this.#via), this.#verdict),
      h(
        "div",
        { class: "outputs trip-outputs" },
        h("article", { class: "card" }, h("header", { class: "card-head" }, h("h3", {}, "In between")), this.#between),
        h("article", { class: "card" }, h("header", { class: "card-head" }, h("h3", {}, "What came back")), this.#back),
      ),
    );
  }

  async show({ identity, there, back, original, verdict }: Shown): Promise<void> {
    const showing = ++this.#showing;
    this.#via.value = there.to;
    this.#path.textContent = `${dialectName(identity.from)} and back, through`;
    const { title, clean } = verdicts[verdict];
    this.#verdict.className = `verdict ${clean ? "clean" : "lossy"}`;
    const findings = [...there.findings, ...(back?.findings ?? [])];
    this.#verdict.replaceChildren(
      ...(findings.length > 0 ? badges(findings) : []),
      h("strong", {}, icon(clean ? "check" : "lossy"), title),
    );
    this.#middle.setText(there.text ?? there.findings.at(-1)?.message ?? "");
    const returned = back?.text ?? back?.findings.at(-1)?.message ?? "";
    const { showDifference } = await import("../editor/diff.ts");
    if (showing !== this.#showing) return;
    this.#drop();
    this.#back.replaceChildren();
    const isCompared = verdict === "different" && original.length + returned.length < longestCompared;
    this.#drop = showDifference(this.#back, isCompared ? original : returned, returned);
  }
}
