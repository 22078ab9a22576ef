// Converts the warnings and errors of a conversion to findings with places in the source.

import { ToolwireError, type Warning } from "toolwire";
import { framesOf } from "./frames.ts";
import { placesOf } from "./places.ts";
import type { Finding, Kind, Place } from "./protocol.ts";

export function ofWarning({ code, message, path, lossy, detail, dialect }: Warning): Finding {
  return {
    severity: lossy ? "lossy" : "note",
    code,
    message,
    path,
    dialect,
    ...(detail !== undefined && { detail: words(detail) }),
  };
}

/** The details of a warning, as text. */
function words(detail: unknown): string {
  return typeof detail === "string" ? detail : JSON.stringify(detail);
}

export function ofError(error: unknown): Finding {
  if (error instanceof ToolwireError) {
    return {
      severity: "error",
      code: error.code,
      message: withPath(error),
      path: error.path,
      ...(error.dialect && { dialect: error.dialect }),
    };
  }
  return {
    severity: "error",
    code: "failed",
    message: error instanceof Error ? error.message : String(error),
    path: "",
  };
}

/** A sentence that names the place, which messages about parts of a body leave out. */
function withPath({ message, path }: ToolwireError): string {
  if (path === "" || message.startsWith(path)) return message;
  return message.startsWith("is ") ? `${path} ${message}` : `${path}: ${message}`;
}

/** Adds the places, in one pass over the text. */
export function locate(
  findings: Finding[],
  { text, kind, isJson }: { text: string; kind: Kind; isJson: boolean },
): void {
  if (findings.length === 0) return;
  const placeOf = kind === "stream" ? inStream(text, findings) : isJson ? inJson(text, findings) : inBrokenJson(text);
  for (const finding of findings) {
    const place = placeOf(finding);
    if (place) finding.place = place;
  }
}

type Locator = (finding: Finding) => Place | undefined;

function inJson(text: string, findings: Finding[]): Locator {
  const placeOf = placesOf(
    text,
    findings.map(({ path }) => path),
  );
  return ({ path }) => placeOf(path);
}

/** The message of a syntax error contains its byte offset. */
function inBrokenJson(text: string): Locator {
  return ({ message }) => {
    const byte = /at byte (\d+)/.exec(message)?.[1];
    if (byte === undefined) return undefined;
    // for truncated text, its last character
    const at = Math.max(0, Math.min(indexOfByte(text, Number(byte)), text.trimEnd().length - 1));
    return { from: at, to: at + 1 };
  };
}

function indexOfByte(text: string, byte: number): number {
  const before = new TextEncoder().encode(text).subarray(0, byte);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(before).length;
}

/** The paths of streams begin with the number of the event. */
function inStream(text: string, findings: Finding[]): Locator {
  const frames = framesOf(text).filter((frame) => frame.data);
  const byEvent = Map.groupBy(findings, ({ path }) => Number(/^\/(\d+)/.exec(path)?.[1] ?? Number.NaN));
  const locators = new Map<number, Locator>();
  for (const [event, group] of byEvent) locators.set(event, inEvent(text, frames[event]?.data, group));
  return (finding) => locators.get(Number(/^\/(\d+)/.exec(finding.path)?.[1] ?? Number.NaN))?.(finding);
}

function inEvent(text: string, data: Place | undefined, findings: Finding[]): Locator {
  if (!data) return () => undefined;
  const body = text.slice(data.from, data.to);
  const rest = (path: string) => path.replace(/^\/\d+/, "");
  try {
    JSON.parse(body);
  } catch {
    return () => ({ from: data.from, to: Math.min(data.to, data.from + 80) });
  }
  const placeOf = placesOf(
    body,
    findings.map(({ path }) => rest(path)),
  );
  return ({ path }) => {
    const place = placeOf(rest(path));
    return place && { from: place.from + data.from, to: place.to + data.from };
  };
}
