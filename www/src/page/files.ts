// Files that are dropped on the page, pasted or opened.

export function acceptFiles(show: (text: string) => void): void {
  const accept = (event: Event, data: DataTransfer | null) => {
    if (!data?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    // the list is emptied when the event ends
    const entries = [...data.items].map((item) => item.webkitGetAsEntry());
    open([...data.files], entries, show);
  };
  // captured before the editor would insert the file's text at the mouse
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault(), true);
  addEventListener("drop", (event) => accept(event, event.dataTransfer), true);
  addEventListener("paste", (event) => accept(event, event.clipboardData), true);
  chosen = show;
}

let chosen: (text: string) => void = () => {};

/** Asks for files. */
export function openFile(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.addEventListener("change", () => open([...(input.files ?? [])], [], chosen));
  input.click();
}

async function open(files: File[], entries: (FileSystemEntry | null)[], show: (text: string) => void): Promise<void> {
  const { openFiles } = await import("./opening.ts");
  await openFiles(files, entries, show);
}
