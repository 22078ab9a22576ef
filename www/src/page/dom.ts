// Creates elements.

export type Child = Node | string | undefined | false;
type Props = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** Functions become listeners (`onclick`), true and strings attributes. False and undefined are ignored. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Text with its parts in backticks as code. */
export function withCode(text: string): Child[] {
  return text.split(/`([^`]*)`/).map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

const drawings = {
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10",
  check: "M3 8.5l3.2 3.2L13 4.8",
  link: "M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.1-2.1a2.6 2.6 0 0 0-3.7-3.7L8 4.3M9.3 6.7a2.6 2.6 0 0 0-3.7 0L3.5 8.8a2.6 2.6 0 0 0 3.7 3.7l.8-.8",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  chevron: "M4.5 6.5 8 10l3.5-3.5",
  play: "M5 3.2v9.6l7.5-4.8z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  next: "M4 3.5v9L10 8zM12 3.5v9",
  previous: "M12 3.5v9L6 8zM4 3.5v9",
  restart: "M3.2 8a4.8 4.8 0 1 0 1.5-3.5M4.5 2v2.8h2.8",
  error: "M8 2.2 14.3 13.2H1.7zM8 6.3v3.4M8 11.4v.1",
  lossy: "M8 2.2 14.3 13.2H1.7zM8 6.3v3.4M8 11.4v.1",
  note: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M8 7.3v3.6M8 5v.1",
  matrix: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.2 3v10M9.8 3v10",
  columns: "M2.5 3h4.5v10H2.5zM9 3h4.5v10H9z",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13",
  open: "M2.5 12.5v-9h4l1.5 2h5.5v7zM2.5 12.5l2-4.5h10l-1.5 4.5",
  close: "M4 4l8 8M12 4l-8 8",
  indent: "M2.5 3.5h11M7 6.5h6.5M7 9.5h6.5M2.5 12.5h11M2.5 6.3 4.6 8 2.5 9.7",
  sliders: "M2.5 5h6M11.5 5h2M10 3.3v3.4M2.5 11h2M7.5 11h6M6 9.3v3.4",
} as const;

export type Icon = keyof typeof drawings;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", drawings[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name: Icon, label: string, onclick: (event: MouseEvent) => void): HTMLButtonElement {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick }, icon(name));
}

/** An element of index.html. */
export function part(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** How long a message is visible, in milliseconds. */
const readingTime = 4000;
let fading: ReturnType<typeof setTimeout> | undefined;

/** Announces a change to users of screen readers, and shows it to all if it is not to be seen elsewhere. */
export function announce(text: string, { isVisible = true } = {}): void {
  if (!isVisible) {
    part("outcome").textContent = text;
    return;
  }
  const status = part("status");
  status.textContent = text;
  status.classList.remove("hidden");
  clearTimeout(fading);
  fading = setTimeout(() => status.classList.add("hidden"), readingTime);
}
