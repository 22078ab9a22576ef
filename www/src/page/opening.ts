// Reads files: recordings of the gateway open as exchanges, everything else as a source.

import { announce } from "./dom.ts";
import { openRecording } from "./recording.ts";

export async function openFiles(
  files: File[],
  entries: (FileSystemEntry | null)[],
  show: (text: string) => void,
): Promise<void> {
  const [file] = files;
  const isFolder = (entry: FileSystemEntry | null) => entry?.isDirectory === true;
  try {
    const folders = entries.filter(isFolder) as FileSystemDirectoryEntry[];
    if (folders.length > 0 || /^\d{8}T\d{6}-/.test(file?.name ?? "")) {
      const plain = files.filter((_, index) => !isFolder(entries[index] ?? null));
      if (await openRecording(plain, folders)) return;
    }
    if (!file) return;
    show(await file.text());
    announce(`${file.name} opened`);
  } catch {
    announce(`${file?.name} could not be read`);
  }
}
