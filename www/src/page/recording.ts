// Recordings of the gateway (`--record DIR`): the files of an exchange, by their names, are opened together.

import type { Dialect } from "toolwire";
import { announce } from "./dom.ts";
import { dialects } from "./names.ts";
import { showConversion } from "./section.ts";
import { newSource, type Recorded, type RecordedExchange, update } from "./state.ts";

const fileName =
  /^(?<time>\d{8}T\d{6})-(?<number>\d+)-\d-(?<stage>received|sent|returned|delivered)(?:-(?<attempt>\d+))?\.(?<dialect>[\w-]+)\.(?<what>request|response|stream)\.\w+$/;

/** Opens the files, and those in folders. Returns false if they are not a recording. */
export async function openRecording(files: File[], folders: FileSystemDirectoryEntry[] = []): Promise<boolean> {
  const all = [...files, ...(await Promise.all(folders.map(filesIn))).flat()];
  const exchanges = await exchangesIn(all);
  if (exchanges.length === 0) return false;
  showConversion();
  showExchange({ exchanges, index: exchanges.length - 1 });
  announce(`${exchanges.length} recorded ${exchanges.length === 1 ? "exchange" : "exchanges"} opened`);
  return true;
}

/** Shows one exchange of a recording, as far as it was recorded. */
export function showExchange(recorded: Recorded): void {
  const { received, sent, returned, delivered } = recorded.exchanges[recorded.index] ?? {};
  const source = received ?? sent ?? returned ?? delivered;
  if (!source) return;
  const isRequest = source === received || source === sent;
  const state = { ...newSource(source.text), from: source.dialect, view: "one" as const, recorded };
  if (!isRequest) update(state);
  else if (source === received && (sent ?? returned)) {
    const target = (sent ?? returned)?.dialect;
    update({ ...state, kind: "request", target, mode: "exchange", answer: returned?.text });
  } else update({ ...state, kind: "request" });
}

async function exchangesIn(files: File[]): Promise<RecordedExchange[]> {
  const found = new Map<string, RecordedExchange & { attempts: Record<string, number> }>();
  const named = files.flatMap((file) => {
    const groups = fileName.exec(file.name)?.groups;
    return groups && dialects.includes(groups.dialect as Dialect) ? [{ file, groups }] : [];
  });
  for (const { file, groups } of named) {
    const { time, number, stage = "", attempt = "0", dialect } = groups;
    const id = `${time}-${number}`;
    const exchange = found.get(id) ?? { id, attempts: {} };
    found.set(id, exchange);
    // of several attempts, the last one is what the client was given
    if ((exchange.attempts[stage] ?? -1) > Number(attempt)) continue;
    exchange.attempts[stage] = Number(attempt);
    exchange[stage as "received"] = { dialect: dialect as Dialect, text: await file.text() };
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ attempts: _, ...exchange }) => exchange);
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  // a reader returns some of the entries at a time
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const entry of entries) {
      if (entry.isFile)
        files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    }
  }
}
