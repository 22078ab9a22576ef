// Performs the tasks of the worker.

import { type Conversion, convertStream, type Dialect, ToolwireError, type Warning } from "toolwire";
import { convert as convertBody } from "../../../pkg-template/command/convert.js";
import { indented } from "../../../pkg-template/command/json-text.js";
import { locate, ofError, ofWarning } from "./findings.ts";
import { identify } from "./identify.ts";
import { play } from "./play.ts";
import type { Finding, Identity, Kind, Outcome, Result, Source, TaskName, Tasks, Verdict } from "./protocol.ts";
import { convertResult } from "./results.ts";

type Runner<Name extends TaskName> = (task: Tasks[Name]["task"]) => Result<Name>;

export const runners: { [Name in TaskName]: Runner<Name> } = {
  convert: ({ source, targets }) =>
    identified(source, (input) => {
      const start = performance.now();
      const outcomes = targets.map((to) => outcomeOf(input, to));
      return { identity: input.identity, outcomes, milliseconds: performance.now() - start };
    }),
  roundTrip: ({ source, via }) => identified(source, (input) => roundTrip(input, via)),
  play: ({ source, to }) =>
    identified(source, ({ identity, text, settings }) => {
      const played = play(text, { ...settings, from: identity.from, to });
      locate(played.findings, { text, kind: "stream", isJson: false });
      return { identity, ...played };
    }),
  indent: ({ text }) => (parsed(text) === undefined ? {} : { text: indented(text) as string }),
};

/** A source whose format and kind are known. */
interface Input {
  text: string;
  value: unknown;
  identity: Identity;
  settings: Source["settings"];
}

function identified<T extends object>(
  source: Source,
  run: (input: Input) => T,
): T | { problem: string; findings: Finding[] } {
  const value = parsed(source.text);
  let identity: Identity;
  try {
    identity = identify(source, value);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), findings: [] };
  }
  return run({ text: source.text, value, identity, settings: source.settings });
}

function outcomeOf({ text, value, identity: { from, kind }, settings }: Input, to: Dialect): Outcome {
  const findings: Finding[] = [];
  const onWarning = (warning: Warning) => findings.push(ofWarning(warning));
  const outcome: Outcome = { to, findings };
  try {
    outcome.text = laidOut(convertText(kind, text, value, { ...settings, from, to, onWarning }), kind);
  } catch (error) {
    findings.push(ofError(error));
  }
  locate(findings, { text, kind, isJson: value !== undefined });
  return outcome;
}

function convertText(kind: Kind, text: string, value: unknown, conversion: Conversion): string {
  if (kind === "stream") return convertWholeStream(text, conversion);
  if (kind === "result" && value !== undefined) return convertResult(text, value, conversion);
  const bytes = new TextEncoder().encode(text);
  // the converters of the command, with the package's errors
  try {
    return convertBody(kind === "result" ? "request" : kind, { bytes, value }, conversion) as string;
  } catch (error) {
    if (error instanceof ToolwireError || !(error instanceof Error) || !("exit" in error)) throw error;
    throw new ToolwireError("invalid_value", error.message, "");
  }
}

function convertWholeStream(text: string, conversion: Conversion): string {
  const decoder = new TextDecoder();
  const converter = convertStream(conversion);
  const converted = [converter.push(new TextEncoder().encode(text)), converter.finish()];
  const output = converted.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
  for (const warning of converter.warnings) conversion.onWarning?.(warning);
  converter.free();
  return output;
}

/** Converts to another format and back, as happens to a conversation with two providers. */
function roundTrip(input: Input, via: Dialect): Tasks["roundTrip"]["result"] {
  const { text, identity, settings } = input;
  const there = outcomeOf(input, via);
  const original = laidOut(text, identity.kind);
  if (there.text === undefined) return { identity, there, original, verdict: "failed" };
  const back = outcomeOf(
    { text: there.text, value: parsed(there.text), identity: { ...identity, from: via }, settings },
    identity.from,
  );
  return { identity, there, back, original, verdict: verdictOf(original, back.text) };
}

function verdictOf(original: string, back: string | undefined): Verdict {
  if (back === undefined) return "failed";
  if (back === original) return "identical";
  const [one, other] = [parsed(original), parsed(back)];
  return one !== undefined && sorted(one) === sorted(other) ? "order" : "different";
}

/** JSON text with the keys of every object in alphabetical order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}

/** The text, indented if it is JSON. Numbers keep their digits. */
function laidOut(text: string, kind: Kind): string {
  return kind === "stream" || parsed(text) === undefined ? text : (indented(text) as string);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
