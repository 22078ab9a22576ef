// Notes on a source of the user: how it was read, what its own API would not accept, and keys in it.

import type { Dialect } from "toolwire";
import { h, icon } from "../page/dom.ts";
import { dialectName } from "../page/names.ts";
import { hasSecret } from "../page/secrets.ts";
import { showIn } from "../page/section.ts";
import { newSource, type Pasted, type State, update } from "../page/state.ts";

/** `refused`: how many parts of the request its own API, `from`, would not accept. */
export function notesOn(state: State, from: Dialect | undefined, refused: number): HTMLElement[] {
  return [
    refused > 0 && from && refusal(from, refused),
    state.pasted && reading(state.pasted),
    hasSecret(state.text) && secret(),
  ].filter((line) => line instanceof HTMLElement);
}

/** What was read from what was pasted, with the way back. */
function reading({ original, steps }: Pasted): HTMLElement {
  const back = h(
    "button",
    { type: "button", class: "link", onclick: () => update({ ...newSource(original), pasted: undefined }) },
    "Keep what was pasted",
  );
  const isText = steps.some((step) => step.startsWith("as the text of a model"));
  const calls = h(
    "button",
    { type: "button", class: "link", onclick: () => showIn("text", { text: original }) },
    "Show its calls",
  );
  return h("p", { class: "reading" }, h("strong", {}, `Read ${steps.join(", ")}.`), " ", back, " ", isText && calls);
}

function refusal(from: Dialect, count: number): HTMLElement {
  const onclick = () => update({ view: "one", target: from, mode: undefined });
  const words = `${dialectName(from)} itself would not accept ${count === 1 ? "a part" : `${count} parts`} of this.`;
  return h(
    "p",
    { class: "doubt" },
    icon("lossy"),
    words,
    " ",
    h("button", { type: "button", class: "link", onclick }, "Show why"),
  );
}

function secret(): HTMLElement {
  const words = "The source seems to contain a key. It stays in this tab, and links to the page do not include it.";
  return h("p", { class: "doubt" }, icon("lossy"), words);
}
