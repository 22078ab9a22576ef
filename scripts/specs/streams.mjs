import { readStreams } from "../recorded/payloads.mjs";
import { vectorCases } from "../vectors/files.mjs";
import { descriptions } from "./descriptions.mjs";
import { areOf, isOfProvider, withoutOwn } from "./own.mjs";

/** `[{ name, kind, from, text, events, options }]`: the input streams of the vectors. */
export function streamsOfVectors() {
  return vectorCases()
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

/** Recorded streams, in the same form. */
export function streamsOfRecorded(folder) {
  return readStreams(folder).map(({ dialect, file, events }) => ({
    name: file,
    kind: "event",
    from: dialect,
    options: {},
    text: framed(dialect, events),
    events,
  }));
}

function sidesOf({ canonical, both, reads, convert = [] }) {
  const canonicalSide = canonical === undefined ? [] : [{ from: "canonical", body: canonical }];
  const sides = Object.entries({ ...both, ...reads }).map(([from, side]) => ({ from, ...side }));
  return [...canonicalSide, ...sides, ...convert].filter(({ body, bodyText }) => body !== undefined || bodyText);
}

function framed(dialect, events) {
  const isNamed = ["anthropic", "openai-responses"].includes(dialect);
  const frame = (event) => `${isNamed ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  return events.map(frame).join("") + (dialect === "openai" ? "data: [DONE]\n\n" : "");
}

/** Passes each event of each target's stream to `report`. */
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
  const own = mayAnswerForItself(input, to, odd.flatMap(complaintsOf), validate);
  const rest = own ? eventsWithoutOwn(toolwire, to, input) : odd;
  const left = rest.flatMap(complaintsOf);
  if (left.length === 0) for (const event of rest) report.ownState(to, kindOf(event), event);
  else report.failed(input, to, left);
}

/** The kind of body that an event is validated as. */
const kindOf = (event) => (event?.error === undefined ? "event" : "error");

/**
 * Whether the complaints may be about the target's own state in the stream: the source's stream can't be validated, or has the same
 * complaints.
 */
function mayAnswerForItself({ from, text }, to, complaints, validate) {
  if (from === "canonical") return true;
  if (!isOfProvider(from, to)) return false;
  const events = dataOf(text).filter((event) => event !== undefined);
  return areOf(
    complaints,
    events.flatMap((event) => validate(from, kindOf(event), event)),
  );
}

/** The events without the provider's own state. None for a stream of the provider itself, which is not validated. */
function eventsWithoutOwn(toolwire, to, { from, events, ...input }) {
  if (from !== "canonical") return [];
  return eventsFor(toolwire, to, { ...input, from, text: framed(from, withoutOwn(events, to)) }) ?? [];
}

/** The events of the target's stream, or undefined if the conversion fails. */
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

/** The JSON value of each event; undefined for data that is not JSON. */
function dataOf(text) {
  const events = text.replace(/\r\n?/g, "\n").split(/\n{2,}/);
  const data = events.map((event) => {
    const lines = event.split("\n").filter((line) => line.startsWith("data:"));
    return lines.map((line) => line.slice("data:".length)).join("\n");
  });
  const present = data.filter((json) => json !== "" && json.trim() !== "[DONE]");
  return present.map((json) => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  });
}
