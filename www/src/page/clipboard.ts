// Copies and downloads the page's texts.

import { announce, icon, iconButton } from "./dom.ts";

export async function copy(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
    return true;
  } catch {
    announce(`${what} could not be copied: the browser refused`);
    return false;
  }
}

/** A button that copies the result of `text`, and confirms it. */
export function copyButton(what: string, text: () => string): HTMLButtonElement {
  const button = iconButton("copy", `Copy ${what}`, async () => {
    if (!(await copy(text(), what))) return;
    button.replaceChildren(icon("check"));
    setTimeout(() => button.replaceChildren(icon("copy")), 1500);
  });
  return button;
}

export function download(text: string, name: string): void {
  const type = name.endsWith(".json") ? "application/json" : "text/plain";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  announce(`${name} saved`);
}
