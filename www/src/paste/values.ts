// Takes the body out of JSON that surrounds it: logs of requests, lines of batches, JSON in a string, lists of events and responses.

import { memberText, tokens } from "../../../pkg-template/command/json-text.js";
import { formatOfEvent, recognise } from "../../../pkg-template/formats/recognise.js";
import { itemsOf } from "../engine/frames.ts";
import { asEvents, parsed, type Unwrapped } from "./texts.ts";

type Json = Record<string, unknown>;

/** Members that contain a body, in this order. */
const holders = [
  ...["body", "response_body", "responseBody", "request_body", "requestBody", "response", "request"],
  ...["params", "result", "message", "data", "payload", "json", "output"],
];

export function unwrapValue(text: string, value: unknown): Unwrapped | undefined {
  if (typeof value === "string") return { text: value, step: "from a JSON string" };
  if (Array.isArray(value)) return fromList(text, value);
  if (typeof value !== "object" || value === null) return undefined;
  return fromMember(text, value as Json);
}

/** What would also be taken for something else: one event of a stream, one tool, tools of an MCP server. */
export function unwrapFirst(text: string, value: unknown): Unwrapped | undefined {
  if (!isObject(value)) return undefined;
  const tools = asTools(text, value);
  if (tools) return tools;
  const event = formatOfEvent(value) as string | undefined;
  const isEvent = event !== undefined && !["gemini", "ollama"].includes(event);
  return isEvent ? { text: asEvents([value], [text]), step: "as one event" } : undefined;
}

function fromMember(text: string, value: Json): Unwrapped | undefined {
  const name = holders.find((holder) => isBody(value[holder]));
  if (name === undefined) return undefined;
  const held = value[name];
  const status = [value.status, value.status_code, value.statusCode].find((code) => typeof code === "number");
  return {
    text: typeof held === "string" ? held : (memberText(text, name) ?? ""),
    step: `from the field ${name}`,
    ...(typeof value.url === "string" && { url: value.url }),
    ...(typeof status === "number" && { status }),
  };
}

const isBody = (value: unknown) =>
  (typeof value === "object" && value !== null) ||
  (typeof value === "string" && /^\s*[[{]|^(?:data|event):/.test(value));

function fromList(text: string, values: unknown[]): Unwrapped | undefined {
  const texts = itemsOf(text).map(({ from, to }) => text.slice(from, to));
  if (values.length === 0 || texts.length !== values.length) return undefined;
  const event = formatOfEvent(values[0]) as string | undefined;
  if (event && event !== "gemini" && values.every((item) => formatOfEvent(item) === event)) {
    return { text: asEvents(values, texts), step: "from a list of events" };
  }
  const isWhole = (item: unknown) => {
    const { left } = recognise(item, { from: undefined, kind: undefined });
    return left.length > 0 && left.every(({ kind }: { kind: string }) => kind === "response" || kind === "request");
  };
  const first = texts[0] ?? "";
  if (values.every(isWhole)) return { text: first, step: `from the first of ${values.length}` };
  return typeof values[0] === "object" && fromMember(first, (parsed(first) ?? {}) as Json)
    ? { text: first, step: `from the first of ${values.length}` }
    : undefined;
}

/** One tool, or those of an MCP server, which have schemas under a name of their own. */
function asTools(text: string, value: Json): Unwrapped | undefined {
  const { tools } = value;
  const isMcp = (tool: unknown) => isObject(tool) && typeof tool.name === "string" && isObject(tool.inputSchema);
  if (Array.isArray(tools) && tools.length > 0 && tools.every(isMcp)) {
    return { text: withParameters(memberText(text, "tools") ?? "[]"), step: "as tools of an MCP server" };
  }
  if (isMcp(value)) return { text: withParameters(`[${text.trim()}]`), step: "as a tool of an MCP server" };
  const isCall = isObject(value.function) && "arguments" in value.function;
  const isTool = !isCall && recognise([value], { from: undefined, kind: "tools" }).left.length > 0;
  const hasSchema = ["function", "input_schema", "parameters", "functionDeclarations", "custom"].some(
    (key) => key in value,
  );
  return isTool && hasSchema && !("messages" in value)
    ? { text: `[${text.trim()}]`, step: "as a list of one tool" }
    : undefined;
}

/** The list of tools, with the canonical format's name of their schemas. */
function withParameters(list: string): string {
  let written = "";
  let copied = 0;
  let depth = 0;
  for (const [from, to] of tokens(list) as Iterable<[number, number]>) {
    const token = list.slice(from, to);
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth !== 2 || token !== '"inputSchema"' || !/^\s*:/.test(list.slice(to))) continue;
    written += `${list.slice(copied, from)}"parameters"`;
    copied = to;
  }
  return written + list.slice(copied);
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
