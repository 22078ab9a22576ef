// Streams as their targets get them: every event is held against the description of its provider's events.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { descriptions } from "./descriptions.mjs";
import { withoutOwn } from "./own.mjs";

/** `[{ name, kind, from, text, events, options }]`: streams of streams that vectors read, or convert from. */
export function streamsOfVectors() {
  const folder = join(root, "tests/vectors");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const vectors = files.sort().flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return vectors
    .filter(({ kind }) => kind === "stream")
    .flatMap((vector) =>
      sidesOf(vector).map(({ from, body, bodyText }) => ({
        name: vector.name,
        kind: "event",
        from,
        options: vector.options ?? {},
        text: bodyText ?? framed(from, body),
        events: body,
      })),
    );
}

function sidesOf({ canonical, both, reads, convert = [] }) {
  const canonicalSide = canonical === undefined ? [] : [{ from: "canonical", body: canonical }];
  const sides = Object.entries({ ...both, ...reads }).map(([from, side]) => ({ from, ...side }));
  return [...canonicalSide, ...sides, ...convert].filter(({ body, bodyText }) => body !== undefined || bodyText);
}

function framed(dialect, events) {
  const frame = (event) =>
    `${dialect === "anthropic" ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  return events.map(frame).join("") + (dialect === "openai" ? "data: [DONE]\n\n" : "");
}

/** Tells `report` of each event that a target gets. */
export function checkStreams(toolwire, inputs, validate, report) {
  for (const input of inputs) {
    for (const to of Object.keys(descriptions)) {
      const events = eventsFor(toolwire, to, input);
      if (events === undefined) report.refused();
      else judge({ toolwire, input, to, events, validate, report });
    }
  }
}

function judge({ toolwire, input, to, events, validate, report }) {
  const complaintsOf = (event) => validate(to, kindOf(event), event);
  const odd = events.filter((event) => complaintsOf(event).length > 0);
  for (const event of events.filter((event) => !odd.includes(event))) report.passed(to, kindOf(event), event);
  if (odd.length === 0) return;
  const rest = mayAnswerForItself(input, to, complaintsOf) ? eventsWithoutOwn(toolwire, to, input) : odd;
  const left = rest.flatMap(complaintsOf);
  if (left.length === 0) for (const event of rest) report.ownState(to, kindOf(event), event);
  else report.failed(input, to, left);
}

/** An error in a stream is said as one instead of an answer is. */
const kindOf = (event) => (event?.error === undefined ? "event" : "error");

/** Whether the stream is the target's own, and holds what its description does not have; or holds such state. */
function mayAnswerForItself({ from, text }, to, complaintsOf) {
  if (from === "canonical") return true;
  return from === to && dataOf(text).some((event) => event === undefined || complaintsOf(event).length > 0);
}

/** What an own stream says oddly the provider answers for: nothing is left of it to be judged. */
function eventsWithoutOwn(toolwire, to, { from, events, ...input }) {
  if (from !== "canonical") return [];
  return eventsFor(toolwire, to, { ...input, from, text: framed(from, withoutOwn(events, to)) }) ?? [];
}

/** What the target's stream holds, or undefined where the package refuses it. */
function eventsFor(toolwire, to, { from, text, options }) {
  try {
    const converter = toolwire.convertStream({ ...options, from, to });
    const bytes = [converter.push(new TextEncoder().encode(text)), converter.finish()];
    return dataOf(Buffer.concat(bytes.map((part) => Buffer.from(part))).toString());
  } catch (error) {
    if (error instanceof toolwire.ToolwireError && error.code !== "internal") return undefined;
    throw error;
  }
}

/** The JSON of each event; undefined where it is none. */
function dataOf(text) {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:") && !line.endsWith("[DONE]"));
  return lines.map((line) => {
    try {
      return JSON.parse(line.slice("data:".length));
    } catch {
      return undefined;
    }
  });
}
