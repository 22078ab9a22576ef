// Converts a single result of a call. No format has one by itself, so it is inserted into a conversation that the package has written.

import { type Conversion, convertRequest, type Dialect, ToolwireError, type Warning } from "toolwire";
import { dialects } from "../../../build/generated/facts.js";
import { memberText } from "../../../pkg-template/command/json-text.js";
import { itemsOf } from "./frames.ts";

type Json = Record<string, unknown>;
interface Call {
  id: string;
  name: string;
}
interface Shape {
  /** The keys from the body to the object that is a result. */
  path: string[];
  node: Json;
}

const sentinel: Call & { value: string } = { id: "call_sentinel", name: "sentinel_tool", value: "sentinel result" };

/** The formats in which the value can be a result. */
export function resultDialects(value: unknown): Dialect[] {
  return (dialects as Dialect[]).filter((dialect) => shapesOf(dialect).some(({ node }) => fits(node, value)));
}

/** A conversation that contains the result, and one with another result in its place. */
export function inConversation(value: unknown, from: Dialect) {
  const shape = shapesOf(from).find(({ node }) => fits(node, value));
  if (!shape) throw new ToolwireError("invalid_value", `this is not a result of a call in the format ${from}`, "");
  const template = conversation(from, callsOf(shape.node, value));
  return { template, place: (text: string) => withResult(template, shape, text) };
}

/** `convert` converts the conversation with the result in it. */
export function convertResult(
  text: string,
  value: unknown,
  { onWarning, ...conversion }: Conversion,
  convert: typeof convertRequest = convertRequest,
): string {
  const { template, place } = inConversation(value, conversion.from);
  const { path, body } = place(text);
  const prefix = path.map((key) => `/${key}`).join("");
  const concerns = (at: string) => at.startsWith(prefix);
  const note = (warning: Warning) =>
    concerns(warning.path) && onWarning?.({ ...warning, path: warning.path.slice(prefix.length) });
  try {
    const converted = convert(body, { ...conversion, onWarning: note });
    return resultsIn(converted, convertRequest(template, conversion));
  } catch (error) {
    if (!(error instanceof ToolwireError) || !concerns(error.path)) throw error;
    throw new ToolwireError(error.code, error.message, error.path.slice(prefix.length), error.dialect);
  }
}

/** A conversation with these calls and their results. */
function conversation(dialect: Dialect, calls: Call[]): string {
  const toolCalls = calls.map(({ id, name }) => ({ id, name, arguments: {} }));
  const results = calls.map(({ id, name }) => ({
    role: "tool",
    toolCallId: id,
    name,
    kind: "text",
    value: sentinel.value,
  }));
  const messages = [{ role: "user", content: "Hi" }, { role: "assistant", content: "", toolCalls }, ...results];
  return convertRequest(JSON.stringify({ model: "model", messages }), { from: "canonical", to: dialect });
}

/** The objects that contain the single result of a conversation, the outermost first. */
function shapesOf(dialect: Dialect): Shape[] {
  const body = JSON.parse(conversation(dialect, [sentinel])) as Json;
  const shapes: Shape[] = [];
  let node: unknown = body;
  const path: string[] = [];
  while (typeof node === "object" && node !== null) {
    const next = Object.entries(node).find(([, held]) => holds(held, sentinel.value));
    if (!next) break;
    if (path.length > 1 && !Array.isArray(node) && (holds(node, sentinel.id) || holds(node, sentinel.name))) {
      shapes.push({ path: [...path], node: node as Json });
    }
    path.push(next[0]);
    node = next[1];
  }
  return shapes;
}

const holds = (value: unknown, text: string) => JSON.stringify(value)?.includes(JSON.stringify(text)) ?? false;

const dispensable = ["id", "role", "is_error"];

/** Whether the value has the characteristic fields of the node. */
function fits(node: unknown, value: unknown): boolean {
  if (Array.isArray(node))
    return Array.isArray(value) && node.every((item) => value.some((other) => fits(item, other)));
  if (typeof node !== "object" || node === null) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(node).every(([key, held]) => {
    const other = (value as Json)[key];
    if (other === undefined) return dispensable.includes(key);
    if (key === "type" || key === "role") return other === held;
    return holds(held, sentinel.id) || holds(held, sentinel.name) ? fits(held, other) : true;
  });
}

/** The calls that the value is the result of. */
function callsOf(node: Json, value: unknown): Call[] {
  const ids = valuesWhere(node, value, sentinel.id);
  const names = valuesWhere(node, value, sentinel.name);
  const count = Math.max(ids.length, names.length, 1);
  return Array.from({ length: count }, (_, index) => ({
    id: ids[index] ?? `call_${index + 1}`,
    name: names[index] ?? "tool",
  }));
}

function valuesWhere(node: unknown, value: unknown, mark: string): string[] {
  if (node === mark) return typeof value === "string" ? [value] : [];
  if (typeof node !== "object" || node === null || typeof value !== "object" || value === null) return [];
  if (Array.isArray(node)) return Array.isArray(value) ? value.flatMap((item) => valuesWhere(node[0], item, mark)) : [];
  return Object.entries(node).flatMap(([key, held]) => valuesWhere(held, (value as Json)[key], mark));
}

/** Replaces the conversation's results by the text. */
function withResult(template: string, shape: Shape, text: string): { path: string[]; body: string } {
  const body = JSON.parse(template) as Json;
  const [list = "", , ...inside] = shape.path;
  const turns = body[list] as unknown[];
  const first = turns.findIndex((turn) => holds(turn, sentinel.value));
  const mark = "«result»";
  const turn = replaced(turns[first], inside, mark);
  body[list] = [...turns.slice(0, first), turn];
  return {
    path: [list, String(first), ...inside],
    body: JSON.stringify(body).replace(JSON.stringify(mark), () => text),
  };
}

/** The value with the part at the path replaced, and without its siblings in the list. */
function replaced(value: unknown, [key, ...rest]: string[], mark: string): unknown {
  if (key === undefined) return mark;
  if (Array.isArray(value)) return [replaced(value[Number(key)], rest, mark)];
  return { ...(value as Json), [key]: replaced((value as Json)[key], rest, mark) };
}

/** The list of turns of a body, and the index of the first that has a result. */
export function firstResult(body: Json): { list: string; first: number } {
  const list = Object.keys(body).find((key) => holds(body[key], sentinel.value)) ?? "";
  return { list, first: (body[list] as unknown[]).findIndex((turn) => holds(turn, sentinel.value)) };
}

/** The turns of a body from the first result of the template on. */
function resultsIn(body: string, template: string): string {
  const { list, first } = firstResult(JSON.parse(template) as Json);
  const turns: string = memberText(body, list) ?? "[]";
  const found = itemsOf(turns)
    .slice(first)
    .map(({ from, to }) => turns.slice(from, to));
  return found.length === 1 ? (found[0] ?? "") : `[${found.join(",")}]`;
}
