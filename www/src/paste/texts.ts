// Takes what is meant out of text that surrounds it: commands, HTTP messages, Markdown, logs, program code.

import { formatOfEvent } from "../../../pkg-template/formats/recognise.js";
import { codeAsData } from "./program.ts";
import { shellWords } from "./shell.ts";

export interface Unwrapped {
  text: string;
  /** What it was read from, after the word “from” or “as”. */
  step: string;
  /** The address that the body was or is sent to. */
  url?: string;
  /** The status of the HTTP response. */
  status?: number;
}

type Unwrap = (text: string) => Unwrapped | undefined;

export function unwrapText(text: string): Unwrapped | undefined {
  for (const unwrap of all) {
    const found = unwrap(text);
    if (found && found.text.trim() !== "" && found.text !== text) return found;
  }
  return undefined;
}

const bodyFlags = ["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json"];

function fromCurl(text: string): Unwrapped | undefined {
  const start = /^\s*(?:[$>#%]\s*)?curl(?:\.exe)?\s/.exec(text);
  if (!start) return undefined;
  const words = shellWords(text.slice(start[0].length));
  const at = words.findIndex((word) => bodyFlags.includes(word));
  const joined = words.map(
    (word) => /^(?:--(?:data(?:-raw|-binary|-ascii)?|json)=|-d(?=[{[]))([\s\S]*)$/.exec(word)?.[1],
  );
  const given = at >= 0 ? words[at + 1] : joined.find((body) => body !== undefined);
  const body = given?.startsWith("@") ? words.at(-1) : given;
  const url = words.find((word) => /^https?:\/\//.test(word));
  // what curl printed is below the command
  if (body === undefined || body.startsWith("@")) return undefined;
  return { text: body, step: "from a curl command", ...(url && { url }) };
}

/** An HTTP message, as curl shows it with `-i` or `-v`, or a proxy logs it. */
function fromHttp(text: string): Unwrapped | undefined {
  const plain = text.replace(/^[<>*{}] ?(?=\S|$)/gm, (mark) => (/[<>*]/.test(mark) ? "" : mark));
  const head = /(?:^|\n)(?:(POST|PUT|GET) (\S+) HTTP\/[\d.]+|HTTP\/[\d.]+ (\d{3})[^\n]*)\r?\n/g;
  const found = [...plain.matchAll(head)].at(-1);
  if (!found || plain.slice(0, found.index).trim().length > 4000) return undefined;
  const message = plain.slice(found.index + found[0].length);
  const end = /(?:^|\n)\r?\n/.exec(message);
  if (!end) return undefined;
  const headers = message.slice(0, end.index);
  const body = message.slice(end.index + end[0].length);
  const host = /^host: *(\S+)/im.exec(headers)?.[1] ?? "";
  const [, , path, status] = found;
  const whole = /^transfer-encoding: *chunked/im.test(headers) ? unchunked(body) : body;
  return {
    text: whole,
    step: status ? `from an HTTP response (${status})` : "from an HTTP request",
    ...(path && { url: `http://${host}${path}` }),
    ...(status && { status: Number(status) }),
  };
}

/** Without the sizes of chunks, if the text has them. */
function unchunked(body: string): string {
  return /^[0-9a-fA-F]+\r?\n/.test(body) ? body.replace(/^[0-9a-fA-F]+\r?\n|\r?\n[0-9a-fA-F]+\r?\n/g, "") : body;
}

function fromFence(text: string): Unwrapped | undefined {
  const fences = [...text.matchAll(/^[ \t]*(```+|~~~+)[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/gm)].map(
    ([, , body]) => body ?? "",
  );
  const longest = fences.reduce((one, other) => (other.length > one.length ? other : one), "");
  return longest === "" ? undefined : { text: longest, step: "from a Markdown block" };
}

const field = /^(?:data|event|id|retry):/;

/** Server-sent events whose lines are indented, begin with what a log adds, or lack the blank lines between events. */
function fromLog(text: string): Unwrapped | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const logged = /^(?:\s+|.{0,120}?[\s\]|:>])?(?=(?:data|event): ?\S)/;
  const data = lines.filter((line) => /^data:/.test(line.replace(logged, "")));
  if (data.length === 0) return undefined;
  const cleaned = lines.map((line) => line.replace(logged, ""));
  const isEvents = cleaned
    .filter((line) => line.trim() !== "")
    .every((line) => field.test(line) || line.startsWith(":"));
  const events = (isEvents ? cleaned : cleaned.filter((line) => field.test(line))).filter((line) => line.trim() !== "");
  // an event ends with its data
  const joined = events.map((line) => (line.startsWith("data:") ? `${line}\n\n` : `${line}\n`)).join("");
  return { text: joined, step: "from a log of events" };
}

/** Events of JSON, one in each line, of a format that sends server-sent events. */
function fromLines(text: string): Unwrapped | undefined {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2) return undefined;
  const events = lines.map(parsed);
  const dialect = formatOfEvent(events[0]) as string | undefined;
  if (dialect && events.every((event) => typeof event === "object"))
    return { text: asEvents(events, lines), step: "from lines of events" };
  if (events.every((event) => typeof event === "object" && event !== null))
    return { text: lines[0] ?? "", step: `from the first of ${lines.length} lines` };
  return undefined;
}

/** Server-sent events with the given data. The names of events are in their types. */
export function asEvents(events: unknown[], texts: string[]): string {
  return texts
    .map((text, index) => {
      const type = (events[index] as { type?: unknown } | null)?.type;
      return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${text.trim()}\n\n`;
    })
    .join("");
}

function fromProgram(text: string): Unwrapped | undefined {
  const data = codeAsData(text);
  return data === undefined ? undefined : { text: data, step: "from program code" };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const all: Unwrap[] = [fromCurl, fromHttp, fromFence, fromLog, fromLines, fromProgram];
