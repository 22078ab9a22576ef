// Performs the tasks of the worker.

import {
  type Conversion,
  convertRequest,
  type Dialect,
  modelFacts,
  readStream,
  requestPath,
  ToolwireError,
  type Warning,
} from "toolwire";
import { convert as convertBody } from "../../../pkg-template/command/convert.js";
import { indented, memberText } from "../../../pkg-template/command/json-text.js";
import { locate, ofError, ofWarning } from "./findings.ts";
import { identify } from "./identify.ts";
import { isPiece } from "./pieces.ts";
import {
  type Call,
  type Finding,
  type Identity,
  isPart,
  type Kind,
  type Outcome,
  type Result,
  type Source,
  type TaskName,
  type Tasks,
  type Verdict,
} from "./protocol.ts";
import { convertResult } from "./results.ts";

type Runner<Name extends TaskName> = (task: Tasks[Name]["task"]) => Result<Name> | Promise<Result<Name>>;

export const runners: { [Name in TaskName]: Runner<Name> } = {
  convert: ({ source, targets }) =>
    identified(source, (input) => {
      const outcomes = targets.map((to) => outcomeOf(input, to));
      return { identity: input.identity, outcomes };
    }),
  roundTrip: ({ source, via }) => identified(source, (input) => roundTrip(input, via)),
  play: async ({ source, to }) => {
    const { play } = await import("./play.ts");
    return identified(source, ({ identity, text, settings }) => {
      const played = play(text, { ...settings, from: identity.from, to });
      locate(played.findings, { text, kind: "stream", isJson: false });
      return { identity, ...played };
    });
  },
  exchange: async ({ source, to, answer }) => {
    const { exchange } = await import("./exchange.ts");
    return identified(source, ({ text, identity, settings }) => ({
      identity,
      ...exchange({ text, from: identity.from, to, settings, answer }),
    }));
  },
  read: async ({ text }) => {
    // of no use to those who paste a body
    const [{ read }, { repair }, { responseOfText }] = await Promise.all([
      import("../paste/read.ts"),
      import("./repair.ts"),
      import("./model-text.ts"),
    ]);
    const reading = await read(text, { repair, responseOfText });
    return reading && reading.steps.length > 0 ? { reading } : {};
  },
  trace: async (task) => (await import("./trace.ts")).trace(task),
  lint: async (task) => (await import("./tools.ts")).lint(task),
  check: async (task) => (await import("./tools.ts")).check(task),
  agent: async (task) => (await import("./agent.ts")).agent(task),
  modelFacts: async (task) => (await import("./facts.ts")).factsOfModels(task),
  serverFacts: async (task) => (await import("./facts.ts")).factsOfServers(task),
  textFormats: async (task) => (await import("./text.ts")).textFormats(task),
  readText: async (task) => (await import("./text.ts")).readText(task),
  writeText: async (task) => (await import("./text.ts")).writeText(task),
  indent: ({ text }) => (parsed(text) === undefined ? {} : { text: indented(text) as string }),
};

/** A source whose format and kind are known. */
interface Input {
  text: string;
  value: unknown;
  identity: Identity;
  settings: Source["settings"];
  /** What converts a stream. */
  streams?: typeof import("./streams.ts") | undefined;
  /** What converts pieces. */
  pieces?: typeof import("./convert-piece.ts") | undefined;
  /** What writes the code for parts of bodies. */
  recipes?: typeof import("./recipes.ts") | undefined;
  /** What finds schemas that the source's own API refuses. */
  refusals?: typeof import("./refusals.ts") | undefined;
}

async function identified<T extends object>(
  source: Source,
  run: (input: Input) => T,
): Promise<T | { problem: string; findings: Finding[] }> {
  const value = parsed(source.text);
  let identity: Identity;
  try {
    identity = identify(source, value);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), findings: [] };
  }
  const streams = identity.kind === "stream" ? await import("./streams.ts") : undefined;
  const hasForms = identity.kind === "request" && /"function_?declarations"/i.test(source.text);
  const refusals = hasForms ? await import("./refusals.ts") : undefined;
  const [pieces, recipes] = isPart(identity.kind)
    ? await Promise.all([import("./convert-piece.ts"), import("./recipes.ts")])
    : [];
  return run({ text: source.text, value, identity, settings: source.settings, streams, pieces, recipes, refusals });
}

function outcomeOf(
  { text, value, identity: { from, kind }, settings, streams, pieces, recipes, refusals }: Input,
  to: Dialect,
): Outcome {
  const findings: Finding[] = [];
  const onWarning = (warning: Warning) => findings.push(ofWarning(warning));
  const outcome: Outcome = { to, findings };
  try {
    const start = performance.now();
    const converted = convertText(
      { kind, text, value, streams, pieces },
      { ...settings, bookkeeping: true, from, to, onWarning },
    );
    outcome.milliseconds = performance.now() - start;
    outcome.text = laidOut(converted, kind);
    const recipe = recipes?.recipeOf(kind, value, { ...settings, from, to });
    if (recipe) outcome.recipe = recipe;
    if (kind === "request") outcome.call = callOf(converted, to, settings);
    if (kind === "request" && from === to) outcome.refused = refusedBy(text, { ...settings, from, to }, refusals);
  } catch (error) {
    findings.push(ofError(error));
  }
  locate(findings, { text, kind, isJson: value !== undefined });
  return outcome;
}

/** What is fitted if the request comes from the canonical format, because a request of the API's own clients is sent as it is. */
function refusedBy(text: string, conversion: Conversion, refusals: Input["refusals"]): string[] {
  const refused: string[] = [];
  const onWarning = ({ code, message, path }: Warning) => {
    if (code !== "default_used") refused.push(`${message} (${path} in the canonical format)`);
  };
  try {
    const canonical = convertRequest(text, { ...conversion, to: "canonical" });
    convertRequest(canonical, { ...conversion, from: "canonical", onWarning });
    refused.push(...(refusals?.refusedSchemas(text, conversion) ?? []));
  } catch {
    // the conversion itself reports errors
  }
  return refused;
}

/** Where a converted request is sent, and for which model. */
function callOf(request: string, to: Dialect, { model: asked, stream, platform }: Source["settings"]): Call {
  const chosen = typeof asked === "string" ? asked : memberText(request, "model");
  const model = chosen?.startsWith('"') ? (JSON.parse(chosen) as string) : chosen;
  const target = {
    to,
    ...(model && { model }),
    ...(stream !== undefined && { stream }),
    ...(platform && { platform }),
  };
  const attempt = <Value>(get: () => Value) => {
    try {
      return get();
    } catch {
      return undefined;
    }
  };
  const path = attempt(() => requestPath(request, target as Parameters<typeof requestPath>[1]));
  const family = model && attempt(() => modelFacts(model, { to })?.family);
  return { ...(path && { path }), ...(model && { model }), ...(family && { family }) };
}

type Body = Pick<Input, "text" | "value" | "streams" | "pieces"> & { kind: Kind };

function convertText({ kind, text, value, streams, pieces }: Body, conversion: Conversion): string {
  if (streams) return streams.convertWholeStream(text, conversion);
  if (kind === "result" && value !== undefined) return convertResult(text, value, conversion);
  if (pieces && isPiece(kind)) return pieces.convertPiece(kind, text, value, conversion);
  const bytes = new TextEncoder().encode(text);
  // the converters of the command, with the package's errors
  try {
    return convertBody(kind === "result" ? "request" : kind, { bytes, value }, conversion) as string;
  } catch (error) {
    if (error instanceof ToolwireError || !(error instanceof Error) || !("exit" in error)) throw error;
    throw new ToolwireError("invalid_value", error.message, "");
  }
}

/** Converts to another format and back, as happens to a conversation with two providers. */
function roundTrip(input: Input, via: Dialect): Tasks["roundTrip"]["result"] {
  const { text, identity, settings, streams, pieces, recipes } = input;
  const there = outcomeOf(input, via);
  const original = laidOut(text, identity.kind);
  if (there.text === undefined) return { identity, there, original, verdict: "failed" };
  const returned = { text: there.text, value: parsed(there.text), identity: { ...identity, from: via }, settings };
  const back = outcomeOf({ ...returned, streams, pieces, recipes }, identity.from);
  const verdict = back.text === undefined ? "failed" : verdictOf(original, back.text, identity);
  return { identity, there, back, original, verdict };
}

function verdictOf(original: string, back: string, { from, kind }: Identity): Verdict {
  if (back === original) return "identical";
  if (kind === "stream") return isSameResponse(original, back, from) ? "response" : "different";
  const [one, other] = [parsed(original), parsed(back)];
  return one !== undefined && sorted(one) === sorted(other) ? "order" : "different";
}

/** Whether both streams, which have different events, are read as the same response. */
function isSameResponse(one: string, other: string, from: Dialect): boolean {
  try {
    return sorted(readWhole(one, from)) === sorted(readWhole(other, from));
  } catch {
    return false;
  }
}

function readWhole(text: string, from: Dialect): unknown {
  const reader = readStream({ from });
  reader.push(new TextEncoder().encode(text));
  const response = reader.finish();
  reader.free();
  return response;
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
