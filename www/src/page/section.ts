// Which section of the page is shown: the conversion, or one that is loaded when it is first shown.

import { part } from "./dom.ts";

let shown = "convert";

export const shownSection = () => shown;
export const inSection = () => shown !== "convert";

export function markSection(name: string): void {
  shown = name;
  part("bench").hidden = name !== "convert";
  part("section").hidden = name === "convert";
  document.querySelector(".skip")?.setAttribute("href", name === "convert" ? "#source" : "#section");
  for (const link of part("sections").querySelectorAll("a")) {
    if (link.hash === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

export const showConversion = () => markSection("convert");

/** Shows the section that the fragment is about. Returns false if it is about the conversion. */
export async function openSection(fragment: string): Promise<boolean> {
  if (!fragment.startsWith("#/")) return false;
  const sections = await import("./sections.ts");
  return sections.open(fragment);
}

/** Shows a section with what is entered there. */
export async function showIn(name: string, fields: Record<string, string>): Promise<void> {
  const sections = await import("./sections.ts");
  sections.enter(name, fields);
  location.hash = `#/${name}`;
}

/** Gives the text of a file to the section. */
export async function takeInSection(text: string): Promise<void> {
  const sections = await import("./sections.ts");
  sections.take(text);
}
