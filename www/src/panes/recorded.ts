// What a recording of the gateway has besides the shown exchange: the other exchanges, and what the gateway sent and delivered.

import { h, icon } from "../page/dom.ts";
import { showExchange } from "../page/recording.ts";
import type { Recorded } from "../page/state.ts";

export function recordedElements(
  recorded: Recorded,
  sent: string | undefined,
  returned: string | undefined,
): HTMLElement[] {
  const { exchanges, index } = recorded;
  const exchange = exchanges[index];
  const select = h(
    "select",
    { id: "recorded", onchange: () => showExchange({ exchanges, index: select.selectedIndex }) },
    ...exchanges.map(({ id }, at) => h("option", { selected: at === index }, id)),
  );
  const label = h("label", { for: "recorded" }, "Recorded exchange");
  return [
    label,
    select,
    ...comparison("sent", exchange?.sent?.text, sent),
    ...comparison("delivered", exchange?.delivered?.text, returned),
  ];
}

/** Whether the gateway did what the page does; if not, what it did. */
function comparison(what: "sent" | "delivered", recorded: string | undefined, here: string | undefined): HTMLElement[] {
  if (recorded === undefined || here === undefined) return [];
  if (isSame(recorded, here)) {
    return [h("p", { class: "clean" }, icon("check"), `The gateway ${what} the same`)];
  }
  const words = `The gateway ${what} something else`;
  return [
    h("details", {}, h("summary", {}, words), h("pre", { tabindex: 0, role: "region", "aria-label": words }, recorded)),
  ];
}

/** Whether both are the same text, or the same JSON. */
function isSame(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true;
  try {
    return sorted(JSON.parse(one)) === sorted(JSON.parse(other));
  } catch {
    return false;
  }
}

/** JSON text with the keys of every object in alphabetical order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}
