// The code for what is shown, in a panel with a tab for each language.

import { type Identity, isPart, type Outcome } from "../engine/protocol.ts";
import { copyButton } from "../page/clipboard.ts";
import type { Shown, Snippet } from "../page/code.ts";
import { h } from "../page/dom.ts";
import { menu } from "../page/menu.ts";
import { current, type Mode } from "../page/state.ts";

export class CodeMenu {
  readonly elements: HTMLElement[];
  readonly #languages = h("div", { class: "modes", role: "group", "aria-label": "Language" });
  readonly #code = h("code", {});
  readonly #button: HTMLElement;
  readonly #panel: HTMLElement;
  #shown: Shown | undefined;
  #coloured: (text: string) => (string | HTMLElement)[] = (text) => [text];
  #snippets: Snippet[] = [];
  #language: Snippet["language"] = "TypeScript";

  constructor() {
    const content = h(
      "div",
      { class: "code-panel" },
      h(
        "div",
        { class: "code-head" },
        this.#languages,
        copyButton("the code", () => this.#current()?.text ?? ""),
      ),
      h("pre", { tabindex: 0, role: "region", "aria-label": "Code" }, this.#code),
    );
    const [button, panel] = menu("code", "Code", "code", content, 720);
    this.#button = button;
    panel.addEventListener("beforetoggle", () => this.#make());
    this.#panel = panel;
    this.elements = [button, panel];
  }

  show(outcome: Outcome, { kind, from }: Identity, mode: Mode): void {
    this.#shown = { kind, from, outcome, settings: current().settings, mode };
    // what comes back of a part of a body has no code, nor has a part whose place depends on others
    const hasCode = !isPart(kind) || (mode !== "trip" && outcome.recipe !== undefined);
    this.#button.hidden = outcome.text === undefined || !hasCode;
    if (this.#panel.matches(":popover-open")) this.#make();
    else this.#languages.replaceChildren();
  }

  /** Makes the code when it is first to be seen. */
  async #make(): Promise<void> {
    if (!this.#shown) return;
    const { coloured, snippetsOf } = await import("./code-text.ts");
    this.#snippets = snippetsOf(this.#shown);
    this.#coloured = coloured;
    this.#draw();
  }

  #current(): Snippet | undefined {
    return this.#snippets.find(({ language }) => language === this.#language) ?? this.#snippets[0];
  }

  #draw(): void {
    const shown = this.#current();
    const choose = (language: Snippet["language"]) => {
      this.#language = language;
      this.#draw();
      this.#languages.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
    };
    this.#languages.replaceChildren(
      ...this.#snippets.map(({ language }) =>
        h(
          "button",
          {
            type: "button",
            class: "mode",
            "data-language": language,
            "aria-pressed": String(language === shown?.language),
            onclick: () => choose(language),
          },
          language,
        ),
      ),
    );
    this.#code.replaceChildren(...(shown ? this.#coloured(shown.text) : []));
  }
}
