// Files that are dropped on the page or opened.

import { announce } from "./dom.ts";

export function acceptFiles(show: (text: string) => void): void {
  const carriesFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
  // captured before the editor would insert the file's text at the mouse
  addEventListener("dragover", (event) => carriesFile(event) && event.preventDefault(), { capture: true });
  addEventListener(
    "drop",
    (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const file = event.dataTransfer?.files[0];
      if (file) read(file, show);
    },
    { capture: true },
  );
  chosen = show;
}

let chosen: (text: string) => void = () => {};

/** Asks for a file. */
export function openFile(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) read(file, chosen);
  });
  input.click();
}

async function read(file: File, show: (text: string) => void): Promise<void> {
  try {
    show(await file.text());
    announce(`${file.name} opened`);
  } catch {
    announce(`${file.name} could not be read`);
  }
}
