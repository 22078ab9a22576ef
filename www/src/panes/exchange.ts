// An exchange with a server: its answer, which can be edited, and what the client gets of it.

import "../styles/exchange.css";
import { Viewer } from "../editor/viewer.ts";
import type { Tasks } from "../engine/protocol.ts";
import { h, withCode } from "../page/dom.ts";
import { dialectName, sentence } from "../page/names.ts";
import { current } from "../page/state.ts";
import { badges } from "./badges.ts";

type Shown = Tasks["exchange"]["result"];

export class Exchange {
  readonly element: HTMLElement;
  readonly #answer: HTMLTextAreaElement;
  readonly #answerTitle = h("h3", {});
  readonly #title = h("h3", {});
  readonly #badges = h("span", { class: "badges" });
  readonly #notes = h("ul", { class: "exchange-notes" });
  readonly #context = h("details", { class: "exchange-context" });
  readonly #recorded = h("div", { class: "recorded", hidden: true });
  readonly #returned: Viewer;

  /** `answered` is called with what the user enters as the server's answer. */
  constructor(answered: (answer: string) => void) {
    this.#answer = h("textarea", {
      id: "answer",
      spellcheck: "false",
      "aria-label": "The server's response",
      oninput: () => answered(this.#answer.value),
    });
    const body = h("div", { class: "card-body" });
    this.#returned = new Viewer(body, "What the client gets");
    this.element = h(
      "div",
      { class: "exchange" },
      this.#recorded,
      h("section", {}, h("header", { class: "card-head" }, this.#answerTitle), this.#answer),
      h(
        "section",
        {},
        h("header", { class: "card-head" }, this.#title, this.#badges),
        this.#notes,
        this.#context,
        body,
      ),
    );
  }

  /** `sent` is what the page gives for the server. */
  show({ identity, to, answer, returned, findings, context }: Shown, sent: string | undefined): void {
    this.#showRecorded(sent, returned);
    const client = dialectName(identity.from);
    this.#answerTitle.textContent = `${dialectName(to)} responds (edit, or paste your own)`;
    this.#title.textContent = `${client} client gets`;
    if (this.#answer.value !== answer) this.#answer.value = answer;
    this.#badges.replaceChildren(...badges(findings));
    this.#notes.replaceChildren(
      ...findings.map(({ severity, message, path }) =>
        h("li", { class: severity }, ...withCode(sentence(message)), path !== "" && h("code", {}, ` ${path}`)),
      ),
    );
    this.#context.hidden = context === undefined;
    this.#context.replaceChildren(
      h("summary", {}, "Restored from the request’s context"),
      h("pre", { tabindex: 0, role: "region", "aria-label": "Context" }, context ?? ""),
    );
    this.#returned.setText(returned ?? "");
  }

  /** Which exchange of a recording this is, and whether the gateway sent and delivered what is shown here. */
  async #showRecorded(sent: string | undefined, returned: string | undefined): Promise<void> {
    const { recorded } = current();
    this.#recorded.hidden = !recorded;
    this.element.toggleAttribute("data-recorded", recorded !== undefined);
    if (!recorded) return;
    const { recordedElements } = await import("./recorded.ts");
    if (current().recorded === recorded) this.#recorded.replaceChildren(...recordedElements(recorded, sent, returned));
  }
}
