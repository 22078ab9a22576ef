// Text formats of models, with the package's entry point for text, which is loaded when the section is first used.

import { parseToolText, readToolText, TEXT_FORMATS, textFormatOf, toolGrammar, toolPrompt } from "toolwire/text";
import type { Place, ReadCall, Tasks } from "./protocol.ts";
import { responseOfRead } from "./text-response.ts";

type Tools = Parameters<typeof toolPrompt>[0];

/** All formats, and the one that a model was trained on. */
export function textFormats({ model }: Tasks["textFormats"]["task"]): Tasks["textFormats"]["result"] {
  const format = model.trim() === "" ? undefined : textFormatOf(model.trim());
  return { formats: TEXT_FORMATS.map(({ id, models }) => ({ id, models })), ...(format && { format }) };
}

/** What the text of a model says. */
export function readText({ text, format: asked, tools }: Tasks["readText"]["task"]): Tasks["readText"]["result"] {
  const warnings: string[] = [];
  const definitions = toolsOf(tools);
  const known = definitions.length > 0 ? { tools: definitions } : {};
  const read = parseToolText(text, {
    format: asked,
    ...known,
    onWarning: ({ message }) => warnings.push(message),
  });
  const places = placesOfCalls(text, read.format, known);
  // the calls of a list are in the order of the text, those that can't be read among them
  const calls = [...read.toolCalls.map(asText), ...read.invalidToolCalls.map(asText)].map((call): ReadCall => {
    const place = places.get(call.id) ?? placeOfName(text, call.name);
    return { ...call, ...(place && { place }) };
  });
  return {
    format: read.format,
    text: read.text,
    ...(read.reasoning && { reasoning: read.reasoning }),
    calls: calls.sort((a, b) => (a.place?.from ?? 0) - (b.place?.from ?? 0)),
    warnings,
    response: responseOfRead(read),
  };
}

type Call =
  | { id: string; name: string; arguments: unknown }
  | { id: string; name: string; rawArguments: string; error: string };

const asText = (call: Call): ReadCall =>
  "arguments" in call
    ? { id: call.id, name: call.name, arguments: JSON.stringify(call.arguments, undefined, 2) }
    : { id: call.id, name: call.name, arguments: call.rawArguments, error: call.error };

/** Longer texts are read in larger pieces, for which the places are less exact. */
const longText = 20_000;

/** The events after which something else begins. */
const certainTypes = ["textDelta", "reasoningDelta", "toolCallEnd"];

/**
 * The places of the calls, by id. A reader is given the text in small pieces: a call begins after what was certain to be something else, and
 * ends where its end is certain.
 */
function placesOfCalls(text: string, format: string, known: object): Map<string, Place> {
  const places = new Map<string, Place>();
  const reader = readToolText({ format, ...known });
  let certain = 0;
  const take = (events: { type: string; call?: { id: string } }[], end: number) => {
    const ended = events.flatMap(({ type, call }) => (type === "toolCallEnd" && call ? [call.id] : []));
    // calls that become certain together have no places of their own
    const [only] = ended;
    if (ended.length === 1 && only !== undefined) places.set(only, trimmed(text, certain, end));
    if (events.some(({ type }) => certainTypes.includes(type))) certain = end;
  };
  let at = 0;
  for (const piece of piecesOf(text)) {
    at += piece.length;
    take(reader.push(piece), at);
  }
  take(reader.end(), text.length);
  return places;
}

function* piecesOf(text: string): Iterable<string> {
  if (text.length <= longText) yield* text;
  else yield* text.match(/[\s\S]{1,16}(?![\uDC00-\uDFFF])/g) ?? [];
}

/** What closes a call, and is read after its end is certain. */
const closing = /^\s*(?:<\/[^<>]*>|<\|[^<>|]*(?:end|eom|call)[^<>|]*\|>|[\]}),;`]+)+/;

/** Without what closed the call before and white space, and with what closes this one. */
function trimmed(text: string, from: number, to: number): Place {
  const before = closing.exec(text.slice(from, to))?.[0].length ?? 0;
  const begin = from + before;
  const after = closing.exec(text.slice(to, to + 200))?.[0].length ?? 0;
  const space = /^\s*/.exec(text.slice(begin, to))?.[0].length ?? 0;
  return { from: begin + space, to: text.slice(0, to + after).trimEnd().length };
}

/** For formats that are read as a whole. */
function placeOfName(text: string, name: string): Place | undefined {
  const from = name === "" ? -1 : text.indexOf(name);
  return from < 0 ? undefined : { from, to: from + name.length };
}

/** The prompt and the grammar for a format, or the reason why there is none. */
export function writeText({
  tools,
  format,
  definitions,
  syntax,
}: Tasks["writeText"]["task"]): Tasks["writeText"]["result"] {
  const known = toolsOf(tools);
  const attempt = (write: () => { text: string; warnings: string[] }) => {
    try {
      return write();
    } catch (error) {
      return { text: "", warnings: [], problem: error instanceof Error ? error.message : String(error) };
    }
  };
  return {
    prompt: attempt(() => {
      const notation = definitions === "" ? {} : { definitions: definitions as "json" };
      return { text: toolPrompt(known, { format, ...notation }), warnings: [] };
    }),
    grammar: attempt(() => {
      const { grammar, warnings } = toolGrammar(known, { syntax: syntax as "gbnf", format });
      return {
        text: typeof grammar === "string" ? grammar : JSON.stringify(grammar, undefined, 2),
        warnings: warnings.map(({ path, message }) => `${path} ${message}`),
      };
    }),
  };
}

const toolsOf = (tools: string) =>
  (tools === "" ? [] : (JSON.parse(tools) as { type?: string }[]).filter(({ type }) => type !== "native")) as Tools;
