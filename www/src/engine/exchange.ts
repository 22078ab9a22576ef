// A whole exchange: the client's request, what the upstream server is sent, what it answers, and what the client gets.

import { contextOf, convertRequest, convertResponse, type Dialect, type Warning } from "toolwire";
import { indented } from "../../../pkg-template/command/json-text.js";
import { locate, ofError, ofWarning } from "./findings.ts";
import type { Finding, Settings, Tasks } from "./protocol.ts";

type Json = Record<string, unknown>;

interface Asked {
  text: string;
  from: Dialect;
  to: Dialect;
  settings: Settings;
  /** What the server answers. Undefined: an example of an answer. */
  answer?: string | undefined;
}

export function exchange({ text, from, to, settings, answer }: Asked): Omit<Tasks["exchange"]["result"], "identity"> {
  const there = { ...settings, from, to };
  const context = contextOf(text, there);
  const given = answer ?? exampleAnswer(convertRequest(text, there), to);
  const findings: Finding[] = [];
  const onWarning = (warning: Warning) => findings.push(ofWarning(warning));
  const renamed = JSON.stringify(context) === "{}" ? undefined : JSON.stringify(context, undefined, 2);
  const done = { to, answer: given, findings, ...(renamed && { context: renamed }) };
  try {
    const returned = convertResponse(given, { from: to, to: from, context, onWarning });
    return { ...done, returned: indented(returned) as string };
  } catch (error) {
    findings.push(ofError(error));
    return done;
  } finally {
    locate(findings, { text: given, kind: "response", isJson: isJson(given) });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An answer in the server's format that calls the first tool of the request. */
function exampleAnswer(request: string, to: Dialect): string {
  const { model, tools } = JSON.parse(convertRequest(request, { from: to, to: "canonical" })) as Json;
  const tool = (Array.isArray(tools) ? tools : []).find((one: Json) => typeof one.name === "string") as
    | Json
    | undefined;
  const call = tool && { id: "call_1", name: tool.name, arguments: exampleOf(tool.parameters) };
  const message = {
    role: "assistant",
    content: [{ type: "text", text: tool ? "Let me look that up." : "Hello!" }],
    ...(call && { toolCalls: [call] }),
  };
  const response = {
    ...(typeof model === "string" && { model }),
    id: "resp_1",
    message,
    finishReason: call ? "tool_calls" : "stop",
    usage: { input: 20, output: 10 },
  };
  return indented(convertResponse(JSON.stringify(response), { from: "canonical", to })) as string;
}

const examples: Record<string, unknown> = {
  string: "text",
  number: 1.5,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/** Arguments of the types that a schema requires. */
function exampleOf(schema: unknown): Json {
  const { properties, required } = (schema ?? {}) as { properties?: Record<string, Json>; required?: string[] };
  return Object.fromEntries(
    (required ?? []).map((name) => {
      const property = properties?.[name] ?? {};
      const [first] = Array.isArray(property.enum) ? (property.enum as unknown[]) : [];
      return [name, first ?? examples[String(property.type)] ?? "text"];
    }),
  );
}
