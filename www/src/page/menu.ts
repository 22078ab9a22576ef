// A button that opens a panel. The panel is a popover, which the browser closes on Escape and on clicks elsewhere.

import { h, type Icon, icon } from "./dom.ts";

export function menu(
  id: string,
  label: string,
  drawing: Icon | undefined,
  content: HTMLElement,
  width: number,
): [HTMLElement, HTMLElement] {
  const button = h(
    "button",
    {
      type: "button",
      class: "button",
      id: `${id}-button`,
      popovertarget: id,
      "aria-expanded": "false",
      "aria-controls": id,
    },
    drawing && icon(drawing),
    h("span", {}, label),
    icon("chevron"),
  );
  const panel = h("div", { popover: "auto", id, class: "menu", role: "group", "aria-label": label }, content);
  panel.addEventListener("toggle", (event) => {
    const isOpen = (event as ToggleEvent).newState === "open";
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) panel.querySelector<HTMLElement>("[data-current], button, select, input")?.focus();
  });
  panel.addEventListener("beforetoggle", () => {
    const { bottom, left, right } = button.getBoundingClientRect();
    const room = document.documentElement.clientWidth - 2 * margin;
    const wide = Math.min(width, room);
    // above or below the button, whichever has more space, and always within the page
    const start = left + right < document.documentElement.clientWidth ? left : right - wide;
    panel.style.top = `${bottom + margin}px`;
    panel.style.left = `${margin + Math.max(0, Math.min(start - margin, room - wide))}px`;
    panel.style.width = `${wide}px`;
    panel.style.maxHeight = `${innerHeight - bottom - 2 * margin}px`;
  });
  panel.addEventListener("keydown", (event) => moveFocus(panel, event));
  return [button, panel];
}

/** The distance between a panel and the button and edges around it. */
const margin = 8;

/** Arrow keys move between the buttons of a panel. */
function moveFocus(panel: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || document.activeElement?.matches("select, input, pre")) return;
  const buttons = [...panel.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons.at((at + step) % buttons.length)?.focus();
  event.preventDefault();
}
