// What the source is: the command's detection, then what the readers of streams and the shapes of results say.

import { type Dialect, readStream, ToolwireError } from "toolwire";
import { dialects } from "../../../build/generated/facts.js";
import { detect } from "../../../pkg-template/command/detect.js";
import { looksLikeStream } from "./frames.ts";
import type { Identity, Kind, Source } from "./protocol.ts";
import { resultDialects } from "./results.ts";

export const everyDialect = dialects as Dialect[];

/** Enough to know a stream by; an event that is cut off counts as one that has not arrived yet. */
const beginning = 1 << 16;

/** Throws an error with a message for the user where the source fits nothing. */
export function identify({ text, from, kind }: Source, value: unknown): Identity {
  if (from !== undefined && kind !== undefined) return { from, kind, others: [] };
  const isStream = kind === "stream" || (kind === undefined && looksLikeStream(text, value));
  const found = isStream ? streamDialects(text, from) : [];
  if (found.length > 0) return chosen(found, "stream");
  // It is no JSON: any conversion says where it breaks off.
  if (value === undefined) return { from: from ?? "openai", kind: kind ?? "request", others: [] };
  if (kind === "result") return identifyResult(value, from);
  return identifyBody(value, from, kind);
}

function identifyResult(value: unknown, from: Dialect | undefined): Identity {
  const found = resultDialects(value).filter((dialect) => from === undefined || dialect === from);
  if (found.length === 0) throw new Error("This does not look like the result of a call. Choose its format.");
  return chosen(found, "result");
}

function identifyBody(value: unknown, from: Dialect | undefined, kind: Kind | undefined): Identity {
  const tools = kind === "tools" ? toolsOf(value) : value;
  try {
    return { ...(detect(tools, { from, kind }) as { from: Dialect; kind: Kind }), others: [] };
  } catch (error) {
    const found = kind === undefined ? resultDialects(value).filter((dialect) => !from || dialect === from) : [];
    if (found.length > 0) return chosen(found, "result");
    const fitting = bodiesThatFit(tools, from, kind);
    if (fitting.length === 0 && kind === undefined && toolsOf(value) !== value)
      return identifyBody(value, from, "tools");
    if (fitting.length === 0) throw new Error(advice(error));
    return chosen(
      fitting.map((one) => one.from),
      fitting[0]?.kind ?? "request",
    );
  }
}

/** The command asks back where several formats fit; the page takes one and says so. */
function bodiesThatFit(value: unknown, from: Dialect | undefined, kind: Kind | undefined) {
  return everyDialect
    .filter((dialect) => from === undefined || dialect === from)
    .flatMap((dialect) => {
      try {
        return [detect(value, { from: dialect, kind }) as { from: Dialect; kind: Kind }];
      } catch {
        return [];
      }
    });
}

/** The readers that get furthest: each knows the events of the others, and refuses them. */
function streamDialects(text: string, from: Dialect | undefined): Dialect[] {
  const asked = everyDialect.filter((dialect) => from === undefined || dialect === from);
  const read = asked.map((dialect) => ({ dialect, events: eventsRead(text, dialect) }));
  const most = Math.max(0, ...read.map(({ events }) => events));
  return read.filter(({ events }) => events >= most).map(({ dialect }) => dialect);
}

/** How many events a reader takes before it finds something wrong; less than none if it refuses the first. */
function eventsRead(text: string, from: Dialect): number {
  try {
    const reader = readStream({ from });
    const events = reader.push(new TextEncoder().encode(text.slice(0, beginning)));
    if (text.length <= beginning) events.push(...reader.end());
    reader.free();
    return events.length > 0 ? Number.POSITIVE_INFINITY : -1;
  } catch (error) {
    if (!(error instanceof ToolwireError)) throw error;
    const { event, code } = error as { event?: number; code?: string };
    return event === undefined || (event === 0 && code === "invalid_stream") ? -1 : event;
  }
}

function toolsOf(value: unknown): unknown {
  const tools = (value as { tools?: unknown } | null)?.tools;
  return Array.isArray(tools) ? tools : value;
}

/** A provider's format is more likely than the package's own. */
function chosen(found: Dialect[], kind: Kind): Identity {
  const [from = "canonical", ...others] = [...found].sort((a, b) => rank(a) - rank(b));
  return { from, kind, others };
}

const rank = (dialect: Dialect) => (dialect === "canonical" ? 1 : 0);

/** The command's words, without its flags. */
function advice(error: unknown): string {
  const [said = ""] = (error instanceof Error ? error.message : String(error)).split(/\. (?:Give|Say)\b/);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}. Choose format and kind above.`;
}
