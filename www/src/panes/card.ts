// One target beside others: its output, or the reason why there is none.

import type { Dialect } from "toolwire";
import { Viewer } from "../editor/viewer.ts";
import type { Kind, Outcome } from "../engine/protocol.ts";
import { copyButton, download } from "../page/clipboard.ts";
import { h, icon, iconButton } from "../page/dom.ts";
import { bytesText, dialectName, fileName, refusals, sentence } from "../page/names.ts";
import { badges } from "./badges.ts";

/** The maximum length of an output beside others, so that the page stays responsive. */
const longestPreview = 64_000;

export class Card {
  readonly element: HTMLElement;
  readonly #head: HTMLElement;
  readonly #body: HTMLElement;
  readonly #foot: HTMLElement;
  readonly #to: Dialect;
  #viewer: Viewer | undefined;
  #text = "";
  #kind: Kind = "request";

  constructor(to: Dialect, open: () => void) {
    this.#to = to;
    const name = dialectName(to);
    this.#head = h("span", { class: "badges" });
    this.#body = h("div", { class: "card-body" });
    this.#foot = h("p", { class: "card-foot" });
    const title = h("button", { type: "button", class: "card-title", title: `Only ${name}`, onclick: open }, name);
    this.element = h(
      "article",
      { class: "card", "data-to": to, "aria-label": name },
      h(
        "header",
        { class: "card-head" },
        h("h3", {}, title),
        this.#head,
        h(
          "span",
          { class: "card-tools" },
          copyButton(name, () => this.#text),
          iconButton("download", `Download ${name}`, () => this.#download()),
        ),
      ),
      this.#body,
      this.#foot,
    );
  }

  show(outcome: Outcome, kind: Kind): void {
    const { text, findings } = outcome;
    this.#kind = kind;
    this.#text = text ?? "";
    this.#head.replaceChildren(...badges(findings, refusals(outcome)));
    this.element.toggleAttribute("data-failed", text === undefined);
    const failure = findings.at(-1);
    if (text === undefined) {
      this.#drop();
      this.#body.replaceChildren(
        h(
          "p",
          { class: "failure" },
          icon("error"),
          h("span", {}, sentence(failure?.message ?? ""), h("code", {}, failure?.code ?? "")),
        ),
      );
      this.#foot.textContent = "";
      return;
    }
    if (!this.#viewer) {
      this.#body.replaceChildren();
      this.#viewer = new Viewer(this.#body, `${dialectName(this.#to)}: output`);
    }
    const whole = text.length <= longestPreview;
    this.#viewer.setText(whole ? text : text.slice(0, longestPreview));
    this.#foot.textContent = whole
      ? ""
      : `The first ${bytesText(longestPreview)} of ${bytesText(text.length)}. Copy and download give all of it.`;
  }

  destroy(): void {
    this.#drop();
  }

  #drop(): void {
    this.#viewer?.destroy();
    this.#viewer = undefined;
  }

  #download(): void {
    download(this.#text, fileName(this.#kind, this.#to));
  }
}
