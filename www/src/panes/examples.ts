// The menu of examples, which are loaded after the first paint as a separate chunk.

import type { Example } from "../examples.ts";
import { h } from "../page/dom.ts";
import { menu } from "../page/menu.ts";
import { current, onChange, type State, update } from "../page/state.ts";

let loaded: Promise<Example[]> | undefined;

export function examples(): Promise<Example[]> {
  loaded ??= import("../examples.ts").then((module) => module.examples);
  return loaded;
}

/** The state of the page for an unchanged example. */
function asShown({ text, settings = {}, target }: Example) {
  return { text, settings, target, from: undefined, kind: undefined, view: undefined, via: undefined };
}

/** Whether the page shows an unchanged example. */
export async function isExample(state: State): Promise<boolean> {
  const example = (await examples()).find(({ id }) => id === state.example);
  if (!example) return false;
  const shown: Partial<State> = asShown(example);
  return Object.entries(shown).every(
    ([key, value]) => JSON.stringify(state[key as keyof State]) === JSON.stringify(value),
  );
}

export async function showExample(id: string | undefined): Promise<void> {
  const all = await examples();
  const example = all.find((one) => one.id === id) ?? all[0];
  if (!example) return;
  update({ ...asShown(example), example: example.id });
}

export function exampleMenu(): HTMLElement[] {
  const list = h("div", { class: "examples" });
  const [button, panel] = menu("examples", "Examples", undefined, list, 940);
  const fill = async () => {
    const all = await examples();
    const groups = Map.groupBy(all, ({ group }) => group);
    list.replaceChildren(...[...groups].map(([name, items]) => group(name, items, panel)));
  };
  panel.addEventListener("beforetoggle", fill, { once: true });
  onChange((_, changed) => {
    if (changed.has("example")) markCurrent(list);
  });
  panel.addEventListener("toggle", () => markCurrent(list));
  return [button, panel];
}

function group(name: string, items: Example[], panel: HTMLElement): HTMLElement {
  const choose = (id: string) => {
    showExample(id);
    panel.hidePopover();
  };
  const rows = items.map(({ id, title, note }) =>
    h(
      "button",
      { type: "button", class: "example", "data-id": id, onclick: () => choose(id) },
      h("strong", {}, title),
      h("span", {}, note),
    ),
  );
  return h("section", {}, h("h2", {}, name), ...rows);
}

function markCurrent(list: HTMLElement): void {
  for (const button of list.querySelectorAll<HTMLElement>("[data-id]")) {
    const isCurrent = button.dataset.id === current().example;
    button.toggleAttribute("data-current", isCurrent);
    if (isCurrent) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}
