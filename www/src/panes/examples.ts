// The menu of examples. All but the first one are loaded when they are asked for.

import { type Example, firstExample } from "../first-example.ts";
import { h } from "../page/dom.ts";
import { menu } from "../page/menu.ts";
import { showConversion } from "../page/section.ts";
import { current, newSource, onChange, type State, update } from "../page/state.ts";

let loaded: Promise<Example[]> | undefined;

export function examples(): Promise<Example[]> {
  loaded ??= import("../examples.ts").then((module) => module.examples);
  return loaded;
}

/** The state of the page for an unchanged example. */
function asShown({ text, settings = {}, target }: Example) {
  return { ...newSource(text), settings, target, view: "one" as const };
}

/** The example that was shown last. */
let shown: Example | undefined;

/** The unchanged example that the page shows, if it does. */
export function exampleOf(state: State): Example | undefined {
  if (!shown || state.example !== shown.id) return undefined;
  const unchanged: Partial<State> = asShown(shown);
  const isUnchanged = Object.entries(unchanged).every(
    ([key, value]) => key === "example" || JSON.stringify(state[key as keyof State]) === JSON.stringify(value),
  );
  return isUnchanged ? shown : undefined;
}

/** The example whose text is shown. */
export const currentExample = ({ example }: State) => (shown?.id === example ? shown : undefined);

/** Shows an example, by default the first one. Returns whether it exists. */
export async function showExample(id: string = firstExample.id): Promise<boolean> {
  const found = id === firstExample.id ? firstExample : (await examples()).find((one) => one.id === id);
  shown = found ?? firstExample;
  update({ ...asShown(shown), example: shown.id });
  return found !== undefined;
}

export function exampleMenu(): HTMLElement[] {
  const list = h("div", { class: "examples" });
  const [button, panel] = menu("examples", "Examples", undefined, list, 940);
  const fill = async () => {
    const all = await examples();
    const groups = Map.groupBy(all, ({ group }) => group);
    list.replaceChildren(...[...groups].map(([name, items]) => group(name, items, panel)));
    markCurrent(list);
    // the menu opened before it had anything to focus
    if (panel.matches(":popover-open")) list.querySelector<HTMLElement>("[data-current], button")?.focus();
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
    showConversion();
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
