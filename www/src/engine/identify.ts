// Detects the format and kind of the source, like the command, and also by trying to read it as a stream or as a result.

import { type Dialect, readStream, ToolwireError } from "toolwire";
import { dialects } from "../../../build/generated/facts.js";
import { detect } from "../../../pkg-template/command/detect.js";
import { isPage } from "../../../pkg-template/formats/stream-text.js";
import { looksLikeStream } from "./frames.ts";
import { pieceOf } from "./pieces.ts";
import type { Identity, Kind, Source } from "./protocol.ts";
import { resultDialects } from "./results.ts";

export const everyDialect = dialects as Dialect[];

/** The length of the text by which a stream is detected. An incomplete event at its end is ignored. */
const beginning = 1 << 16;

/** Throws an error with a message for the user if the source matches no format. */
export function identify({ text, from, kind }: Source, value: unknown): Identity {
  if (from !== undefined && kind !== undefined) return { from, kind, others: [] };
  const isStream = kind === "stream" || (kind === undefined && looksLikeStream(text, value));
  const found = isStream ? streamDialects(text, from) : [];
  if (found.length > 0) return chosen(found, "stream");
  // the page of a proxy in place of an answer, which every converter of errors reads
  if (value === undefined && kind === undefined && isPage(text))
    return { from: from ?? "openai", kind: "error", others: [] };
  // not JSON; every conversion reports the position of the error
  if (value === undefined) return { from: from ?? "openai", kind: kind ?? "request", others: [] };
  if (kind === "result") return identifyResult(value, from);
  const piece = pieceOf(value, kind, from);
  // a response of Anthropic is a message as well
  const isResponse = kind === undefined && (value as { type?: unknown } | null)?.type === "message";
  return piece && !isResponse ? chosen(piece.from, piece.kind) : identifyBody(value, from, kind);
}

/** Whether a format and kind are found with certainty, and the text can be read as such, in the given format if there is one. */
export function isRecognised(text: string, value: unknown, from?: Dialect): boolean {
  if (value === undefined) {
    if (isPage(text)) return true;
    // no reader accepts indented fields
    if (/^[ \t]+(?:data|event):/m.test(text)) return false;
    return looksLikeStream(text, value) && streamDialects(text, from, 1).length > 0;
  }
  try {
    identify({ text, from, settings: {} }, value);
    return true;
  } catch {
    return false;
  }
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

/** If several formats match, the command fails, but the page selects one and lists the others. */
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

/** The formats whose readers get furthest. Each reader rejects the events of the other formats. */
function streamDialects(text: string, from: Dialect | undefined, least = 0): Dialect[] {
  const asked = everyDialect.filter((dialect) => from === undefined || dialect === from);
  const read = asked.map((dialect) => ({ dialect, events: eventsRead(text, dialect) }));
  const most = Math.max(least, ...read.map(({ events }) => events));
  return read.filter(({ events }) => events >= most).map(({ dialect }) => dialect);
}

/** The number of events that a reader accepts before it fails; negative if it rejects the first one. */
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

/** Prefers the formats of providers over the package's own. */
function chosen(found: Dialect[], kind: Kind): Identity {
  const [from = "canonical", ...others] = [...found].sort((a, b) => rank(a) - rank(b));
  return { from, kind, others };
}

const rank = (dialect: Dialect) => (dialect === "canonical" ? 1 : 0);

/** The message of the command, without its advice about flags. */
function advice(error: unknown): string {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split(/\. (?:Give|Say)\b/);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}. Choose format and kind above.`;
}
