// A whole exchange: the client's request, what the upstream server is sent, what it answers, and what the client gets.

import {
  type Conversion,
  contextOf,
  convertError,
  convertRequest,
  convertResponse,
  type Dialect,
  type Warning,
} from "toolwire";
import { indented } from "../../../pkg-template/command/json-text.js";
import { locate, ofError, ofWarning } from "./findings.ts";
import { identify } from "./identify.ts";
import type { Finding, Kind, Settings, Tasks } from "./protocol.ts";
import { convertWholeStream } from "./streams.ts";

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
  let kind: Kind = "response";
  try {
    kind = kindOf(given, to);
    const returned = convertAnswer(given, kind, { from: to, to: from, context, onWarning });
    return { ...done, returned: isJson(returned) ? (indented(returned) as string) : returned };
  } catch (error) {
    findings.push(ofError(error));
    return done;
  } finally {
    locate(findings, { text: given, kind, isJson: isJson(given) });
  }
}

/** Servers respond with a body, with a stream, or with an error. */
function kindOf(answer: string, from: Dialect): Kind {
  try {
    const value = isJson(answer) ? (JSON.parse(answer) as unknown) : undefined;
    const { kind } = identify({ text: answer, from, settings: {} }, value);
    return kind === "stream" || kind === "error" ? kind : "response";
  } catch {
    return "response";
  }
}

function convertAnswer(answer: string, kind: Kind, conversion: Conversion): string {
  if (kind === "error") return convertError(answer, conversion);
  return kind === "stream" ? convertWholeStream(answer, conversion) : convertResponse(answer, conversion);
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
