// Checks tool definitions and the arguments of calls, with the toolkit, which is loaded when the section is first used.

import { repairJson, Toolkit } from "toolwire/toolkit";
import { placesOf } from "./places.ts";
import type { ArgumentChange, Finding, Tasks } from "./protocol.ts";

type Json = Record<string, unknown>;
type Definitions = ConstructorParameters<typeof Toolkit>[0];

/** Likely problems of the definitions, with their places in the source. `tools` are the same definitions in the canonical format. */
export function lint({ source, tools }: Tasks["lint"]["task"]): Tasks["lint"]["result"] {
  const definitions = definitionsOf(tools);
  const found = new Toolkit(definitions as Definitions).lint();
  const pointers = pointersOf(JSON.parse(source) as unknown);
  const pathOf = ({ tool, path }: { tool: string; path: string }) => pointers(tool, path);
  const placeOf = placesOf(source, found.map(pathOf));
  const findings = found.map((one): Finding => {
    const path = pathOf(one);
    const place = placeOf(path);
    return { severity: "lossy", code: one.code, message: one.message, path, ...(place && { place }) };
  });
  return { names: definitions.map(({ name }) => String(name)), findings };
}

/** The tools that can be called: not those that a provider runs by itself. */
function definitionsOf(tools: string): Json[] {
  return (JSON.parse(tools) as Json[]).filter(({ type }) => type !== "native");
}

/** The keys under which the formats have the schema of a tool. */
const schemaKeys = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema"];

/** Converts paths within canonical definitions to pointers into the source. */
function pointersOf(source: unknown): (tool: string, path: string) => string {
  const found = new Map<string, { pointer: string; key: string | undefined }>();
  const walk = (value: unknown, pointer: string) => {
    if (typeof value !== "object" || value === null) return;
    const { name } = value as Json;
    const key = schemaKeys.find((one) => one in value);
    // what is in a schema is no definition
    if (typeof name === "string" && !found.has(name)) {
      found.set(name, { pointer, key });
      return;
    }
    for (const [step, below] of Object.entries(value)) {
      walk(below, `${pointer}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  };
  walk(source, "");
  return (tool, path) => {
    const { pointer, key } = found.get(tool) ?? { pointer: "", key: undefined };
    return pointer + path.replace(/^\/parameters(?=\/|$)/, `/${key ?? "parameters"}`);
  };
}

/** Checks arguments as a model writes them. Returns problems, changes, and the error result that the model would receive. */
export async function check({ tools, name, text, options }: Tasks["check"]["task"]): Promise<Tasks["check"]["result"]> {
  const toolkit = new Toolkit(definitionsOf(tools) as Definitions, options);
  const value = parsed(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const call = isObject
    ? { id: "call_1", name, arguments: value as Json }
    : { id: "call_1", name, rawArguments: text, error: "not a JSON object" };
  const checked = await toolkit.check(call);
  const [execution] = await toolkit.run([call]);
  const findings = problemsIn(text, checked.problems, isObject);
  return {
    findings,
    changes: checked.changes.filter(({ kind }) => kind !== "repaired").map(asText),
    repairs: isObject || !checked.changes.some(({ kind }) => kind === "repaired") ? [] : repairsOf(text),
    ...(findings.length === 0 && { arguments: JSON.stringify(checked.call.arguments, undefined, 2) }),
    ...(execution?.status === "failed" && { errorResult: JSON.stringify(resultOf(execution.result), undefined, 2) }),
  };
}

function problemsIn(
  text: string,
  problems: { code: string; path: string; message: string }[],
  isObject: boolean,
): Finding[] {
  const placeOf = isObject
    ? placesOf(
        text,
        problems.map(({ path }) => path),
      )
    : undefined;
  return problems.map(({ code, path, message }) => {
    const place = placeOf?.(path);
    return { severity: "error", code, path, message, ...(place && { place }) };
  });
}

const asText = ({
  kind,
  path,
  from,
  to,
}: {
  kind: string;
  path: string;
  from: unknown;
  to: unknown;
}): ArgumentChange => ({
  kind,
  path,
  ...(from !== undefined && { from: JSON.stringify(from) }),
  ...(to !== undefined && { to: JSON.stringify(to) }),
});

/** What was repaired in the text, with the places. */
function repairsOf(text: string): Tasks["check"]["result"]["repairs"] {
  return repairJson(text).changes.map(({ message, offset }) => ({
    message,
    place: { from: offset, to: Math.min(text.length, offset + 1) },
  }));
}

const resultOf = (result: unknown) => (result as { value?: unknown; content?: unknown }).value ?? result;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
