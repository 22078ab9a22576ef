// `toolwire check`: determines which calls can run, and with which arguments.

import * as toolwire from "toolwire";
import { definitionsIn, jsonIn } from "./definitions.js";
import { detect } from "./detect.js";
import { Stop } from "./exits.js";
import { problemLine, report } from "./report.js";

/** Checks all calls in the input against the tools of a file. No tool runs. */
export async function check({ tools, from, file, quiet }) {
  const { Toolkit } = await import("toolwire/toolkit");
  const definitions = await definitionsIn(tools, { from, name: "--tools" });
  const toolkit = new Toolkit(definitions.filter(({ type }) => type !== "native"));
  const calls = callsIn(await jsonIn(file), from);
  const checked = [];
  for (const call of calls) {
    const outcome = await toolkit.check(call);
    checked.push(outcome);
    if (!quiet) for (const problem of outcome.problems) report(problemLine(problem, call.id));
  }
  const canRun = checked.every(({ problems }) => problems.length === 0);
  return { text: JSON.stringify(checked), exit: canRun ? "ok" : "conversion" };
}

/** The calls of an array, a single call, or the calls of a response in any format. */
function callsIn(value, given) {
  const own = Array.isArray(value) ? value : isCall(value) ? [value] : callsOf(value);
  if (own !== undefined) return own.map(asCall);
  const { from } = detect(value, { from: given, kind: "response" });
  return callsOf(toolwire.convertResponse(value, { from, to: "canonical" }).message) ?? [];
}

const isCall = (value) => typeof value?.name === "string" && ("arguments" in value || "rawArguments" in value);

function callsOf(value) {
  const { toolCalls, invalidToolCalls } = value ?? {};
  if (toolCalls === undefined && invalidToolCalls === undefined) return undefined;
  return [...(toolCalls ?? []), ...(invalidToolCalls ?? [])];
}

/** Adds a missing id, and treats arguments that are text as unparsed JSON. */
function asCall(call, index) {
  if (!isCall(call)) throw new Stop("conversion", `call ${index + 1}: expected an object with name and arguments`);
  const { id = `call_${index + 1}`, name, arguments: args, rawArguments } = call;
  const raw = rawArguments ?? (typeof args === "string" ? args : undefined);
  return raw === undefined ? { id, name, arguments: args } : { id, name, rawArguments: raw, error: "not read" };
}
