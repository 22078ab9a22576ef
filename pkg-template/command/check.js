// `toolwire check`: which calls can run, and with which arguments.

import * as toolwire from "toolwire";
import { convert } from "./convert.js";
import { detect } from "./detect.js";
import { Stop } from "./exits.js";
import { parsed, readBytes } from "./input.js";
import { problemLine, report } from "./report.js";

/** Everything that has calls is checked with the tools of the file, none of which runs. */
export async function check({ tools, from, file, quiet }) {
  const { Toolkit } = await import("toolwire/toolkit");
  const definitions = await definitionsIn(tools, from);
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

async function jsonIn(file) {
  const value = parsed(await readBytes(file));
  if (value === undefined) throw new Stop("conversion", `${file === "-" ? "standard input" : file} holds no JSON`);
  return value;
}

/** Canonical definitions, from any object or array that has definitions in any format. */
async function definitionsIn(file, given) {
  const value = await jsonIn(file);
  const tools = Array.isArray(value) ? value : value?.tools;
  if (!Array.isArray(tools))
    throw new Stop("conversion", "--tools: expected an array, or an object that has one under tools");
  if (tools.length === 0 || tools.every(isCanonicalTool)) return tools;
  const { from } = detect(tools, { from: given, kind: "tools" });
  const input = { bytes: new TextEncoder().encode(JSON.stringify(tools)), value: tools };
  return JSON.parse(convert("tools", input, { from, to: "canonical", onWarning() {} }));
}

const isCanonicalTool = (tool) =>
  typeof tool?.name === "string" && !("input_schema" in tool) && !("inputSchema" in tool);

/** Calls as they are, one call, or those of a response in any format. */
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

/** With an id, and arguments that are text as what they are: not yet read. */
function asCall(call, index) {
  if (!isCall(call)) throw new Stop("conversion", `call ${index + 1}: expected an object with name and arguments`);
  const { id = `call_${index + 1}`, name, arguments: args, rawArguments } = call;
  const raw = rawArguments ?? (typeof args === "string" ? args : undefined);
  return raw === undefined ? { id, name, arguments: args } : { id, name, rawArguments: raw, error: "not read" };
}
