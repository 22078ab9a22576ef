// The names of formats and kinds on the page.

import type { Dialect } from "toolwire";
import { dialects as packageDialects, titles } from "../../../build/generated/facts.js";
import type { Kind, Severity } from "../engine/protocol.ts";

/** Formats that are not providers: the canonical format, and the one with calls and results only. */
const betweenProviders: Dialect = "canonical";
const reportsOnly: Dialect = "universal";

const last: Dialect[] = [betweenProviders, reportsOnly];
const rank = (dialect: Dialect) => last.indexOf(dialect);

/** All formats of the package, providers first. */
export const dialects = (packageDialects as Dialect[]).toSorted((a, b) => rank(a) - rank(b));

/** The formats that are shown side by side. */
export const sideBySide: Dialect[] = dialects.filter((dialect) => dialect !== reportsOnly);

export function dialectName(dialect: Dialect): string {
  return (titles as Record<Dialect, string>)[dialect];
}

export const kindNames: Record<Kind, string> = {
  request: "Request",
  response: "Response",
  stream: "Stream",
  tools: "Tools",
  result: "Tool result",
  error: "Error",
};

export const severityNames: Record<Severity, { one: string; many: string }> = {
  error: { one: "error", many: "errors" },
  lossy: { one: "loss", many: "losses" },
  note: { one: "note", many: "notes" },
};

export function counted(count: number, { one, many }: { one: string; many: string }): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A message as a sentence. The spelling of field names is kept. */
export function sentence(text: string): string {
  return /^[a-z]+\b(?!_)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
