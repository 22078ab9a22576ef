// The names of formats and kinds on the page.

import type { Dialect } from "toolwire";
import { bases, dialects as packageDialects, titles } from "../../../build/generated/facts.js";
import type { Kind, Outcome, Severity } from "../engine/protocol.ts";

/** Formats that are not providers: the canonical format, and the one with calls and results only. */
const betweenProviders: Dialect = "canonical";
const reportsOnly: Dialect = "universal";

const notProviders: Dialect[] = [betweenProviders, reportsOnly];
/** What most people do not look for comes last. */
const last: Dialect[] = ["cohere", "gemini-interactions", ...notProviders];
const rank = (dialect: Dialect) => last.indexOf(dialect);

/** All formats of the package, providers first. */
export const dialects = (packageDialects as Dialect[]).toSorted((a, b) => rank(a) - rank(b));

/** The formats that have a tab of their own; a variant's bodies are those of the format that it is a variant of. */
export const providers: Dialect[] = dialects.filter(
  (dialect) => !notProviders.includes(dialect) && !(dialect in bases),
);

/** The formats that are shown side by side. */
export const sideBySide: Dialect[] = [...providers, betweenProviders];

/** The families of models that only one API serves. */
const families: Partial<Record<Dialect, string>> = {
  openai: "gpt",
  mistral: "mistral",
  "openai-responses": "gpt",
  anthropic: "claude",
  cohere: "command",
  gemini: "gemini",
  vertexai: "gemini",
  "gemini-interactions": "gemini",
};

/** Whether the target's own API does not have models of this family, as another provider has them. */
function isForeign(family: string | undefined, to: Dialect): boolean {
  const own = families[to];
  return own !== undefined && family !== own && Object.values(families).some((other) => other === family);
}

/** Why the target would refuse the output's model, if it would. */
export function modelDoubt({ to, call }: Outcome): string | undefined {
  if (!call || !isForeign(call.family, to)) return undefined;
  return `${call.model} is not a model of ${dialectName(to)}, which would refuse it: enter one of its own.`;
}

/** Why the target would refuse the output. */
export function refusals(outcome: Outcome): string[] {
  const { to, refused = [] } = outcome;
  const doubt = modelDoubt(outcome);
  return [
    ...(doubt ? [doubt] : []),
    ...refused.map((words) => `${dialectName(to)} would not accept this as it is: ${words}`),
  ];
}

export function dialectName(dialect: Dialect): string {
  return (titles as Record<Dialect, string>)[dialect];
}

export const kindNames: Record<Kind, string> = {
  request: "Request",
  response: "Response",
  stream: "Stream",
  messages: "Messages",
  tools: "Tools",
  calls: "Tool calls",
  result: "Tool result",
  schema: "JSON Schema",
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

/** The name of a file with a body of this kind and format. */
export function fileName(kind: Kind, dialect: Dialect): string {
  return `${kind}.${dialect}.${kind === "stream" ? "txt" : "json"}`;
}
