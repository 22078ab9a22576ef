// Recognises pieces of a request that are given alone: messages, calls, a JSON Schema.

import type { Dialect } from "toolwire";
import { bases, dialects } from "../../../build/generated/facts.js";
import { recognise } from "../../../pkg-template/formats/recognise.js";
import type { Kind } from "./protocol.ts";

export const pieceKinds = ["messages", "calls", "schema"] as const;
export type PieceKind = (typeof pieceKinds)[number];
export const isPiece = (kind: Kind): kind is PieceKind => pieceKinds.some((one) => one === kind);

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const baseOf = (dialect: Dialect) => ((bases as Record<string, Dialect>)[dialect] ?? dialect) as Dialect;

/** Where a format has its turns, and where a turn of the model has its calls. */
interface Form {
  turns: string;
  user: string;
  /** A turn of the model that contains the calls; without it, calls are items of the list. */
  model?: [before: string, after: string];
  calls?: string;
  /** Whether the object is a call. */
  isCall(value: Json): boolean;
  /** The way from an item of `tools` to its schema. */
  schema: string[];
  system?: string;
}

export const chatUser = '{"role":"user","content":"Hi"}';
const isFunction = (value: Json) => isObject(value.function) && "arguments" in value.function;

const forms: Partial<Record<Dialect, Form>> = {
  openai: {
    turns: "messages",
    user: chatUser,
    model: ['{"role":"assistant","content":null,"tool_calls":[', "]}"],
    calls: "tool_calls",
    isCall: (value) => isFunction(value) && typeof (value.function as Json).arguments === "string",
    schema: ["function", "parameters"],
  },
  "openai-responses": {
    turns: "input",
    user: chatUser,
    isCall: ({ type }) => type === "function_call" || type === "custom_tool_call",
    schema: ["parameters"],
    system: "instructions",
  },
  anthropic: {
    turns: "messages",
    user: chatUser,
    model: ['{"role":"assistant","content":[', "]}"],
    calls: "content",
    isCall: ({ type }) => type === "tool_use",
    schema: ["input_schema"],
    system: "system",
  },
  bedrock: {
    turns: "messages",
    user: '{"role":"user","content":[{"text":"Hi"}]}',
    model: ['{"role":"assistant","content":[', "]}"],
    calls: "content",
    isCall: (value) => isObject(value.toolUse),
    schema: ["toolSpec", "inputSchema", "json"],
    system: "system",
  },
  cohere: {
    turns: "messages",
    user: chatUser,
    model: ['{"role":"assistant","tool_calls":[', "]}"],
    calls: "tool_calls",
    isCall: isFunction,
    schema: ["function", "parameters"],
  },
  gemini: {
    turns: "contents",
    user: '{"role":"user","parts":[{"text":"Hi"}]}',
    model: ['{"role":"model","parts":[', "]}"],
    calls: "parts",
    isCall: (value) => isObject(value.functionCall) || isObject(value.function_call),
    schema: ["functionDeclarations", "parametersJsonSchema|parameters"],
    system: "systemInstruction",
  },
  "gemini-interactions": {
    turns: "input",
    user: '{"type":"user_input","content":[{"type":"text","text":"Hi"}]}',
    isCall: ({ type }) => type === "function_call",
    schema: ["parameters"],
    system: "system_instruction",
  },
  ollama: {
    turns: "messages",
    user: chatUser,
    model: ['{"role":"assistant","content":"","tool_calls":[', "]}"],
    calls: "tool_calls",
    isCall: (value) => isFunction(value) && isObject((value.function as Json).arguments),
    schema: ["function", "parameters"],
  },
  canonical: {
    turns: "messages",
    user: chatUser,
    model: ['{"role":"assistant","content":"","toolCalls":[', "]}"],
    calls: "toolCalls",
    isCall: ({ name, arguments: given, type }) => typeof name === "string" && isObject(given) && type === undefined,
    schema: ["parameters"],
  },
  universal: { turns: "messages", user: chatUser, calls: "tool_calls", isCall: () => false, schema: [] },
};

export const formOf = (dialect: Dialect) => forms[baseOf(dialect)] as Form;

interface Found {
  from: Dialect[];
  kind: PieceKind;
}

/** The piece that the value can be, with its formats; undefined if it is none. */
export function pieceOf(value: unknown, kind: Kind | undefined, from: Dialect | undefined): Found | undefined {
  if (kind !== undefined && !isPiece(kind)) return undefined;
  const items = Array.isArray(value) ? value : [value];
  if (items.length === 0 || !items.every(isObject)) return undefined;
  const asked = (dialects as Dialect[]).filter((dialect) => from === undefined || dialect === from);
  const known = asked.filter((dialect) => from !== undefined || !(dialect in bases));
  const callers = known.filter((dialect) => items.every((item) => formOf(dialect).isCall(item)));
  if (callers.length > 0 && (kind === undefined || kind === "calls")) return { from: callers, kind: "calls" };
  const isSchema = !Array.isArray(value) && isJsonSchema(value as Json);
  if ((isSchema && kind === undefined) || kind === "schema") return { from: [from ?? "canonical"], kind: "schema" };
  if (kind === "calls") return undefined;
  // results alone are of another kind
  const areResults = items.every(({ role }) => role === "tool" || role === "function");
  const speakers = areResults && kind !== "messages" ? [] : known.filter((dialect) => areMessages(items, dialect));
  return speakers.length > 0 ? { from: speakers, kind: "messages" } : undefined;
}

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

function isJsonSchema(value: Json): boolean {
  if (typeof value.name === "string" || "function" in value) return false;
  const isTyped =
    types.includes(String(value.type)) && (isObject(value.properties) || isObject(value.items) || "enum" in value);
  return isTyped || "$schema" in value || Array.isArray(value.anyOf) || isObject(value.$defs);
}

/** Whether an object is an item of the Responses API, and not a message of another format. */
function isItem(type: unknown, content: unknown): boolean {
  if (type !== undefined)
    return ["message", "reasoning"].includes(String(type)) || /_(?:call|output)$/.test(String(type));
  return Array.isArray(content) && content.some((part) => isObject(part) && /^(?:in|out)put_/.test(String(part.type)));
}

function areMessages(items: Json[], dialect: Dialect): boolean {
  const { turns } = formOf(dialect);
  const isTurn = ({ role, type, parts, content, tool_calls, toolCalls, usage, model, stop_reason }: Json) => {
    const isWhole = usage !== undefined || model !== undefined || stop_reason !== undefined;
    if (isWhole) return false;
    if (turns === "contents") return typeof role === "string" && Array.isArray(parts);
    if (turns === "input") return isItem(type, content);
    return typeof role === "string" && (content !== undefined || Array.isArray(tool_calls) || Array.isArray(toolCalls));
  };
  if (!items.every(isTurn) || dialect === "universal") return false;
  const { left } = recognise({ [turns]: items }, { from: undefined, kind: "request" });
  return left.some((form: { dialect: string }) => form.dialect === dialect);
}
