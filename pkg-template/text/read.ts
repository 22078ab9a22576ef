// Reads text that contains calls, at once or incrementally.

import type { InvalidToolCall, StreamEvent, ToolCall, ToolDefinition, Warning } from "toolwire";
import { callCore } from "./core/instance.js";
import { continued, type Delta, isDelta, type Passes, passesOf, takeText } from "./verbatim.js";
import type { TextFormat } from "./write.js";

/** How the text of a model is to be read. */
export interface ReadText {
  format: TextFormat;
  /** Tool definitions, which determine the types of arguments and the names that are read as tools. */
  tools?: ToolDefinition[];
  /** The end of the prompt, if the model continues it (a template's generation prompt, an open `<think>`). */
  prefill?: string;
  idSeed?: string;
  /** Called for text that is dropped: what follows the calls where the format has no text there, and made-up results. */
  onWarning?(warning: Warning): void;
}

/** What was read from the text of a model. */
export interface ParsedToolText {
  /** The text outside of calls. */
  text: string;
  reasoning?: string;
  toolCalls: ToolCall[];
  /** Text that resembles a call but can't be parsed as one, with the reason. */
  invalidToolCalls: InvalidToolCall[];
  format: TextFormat;
}

/** Reads the text of a model in pieces. `push` returns the events that are certain, and `end` the rest. */
export interface ToolTextReader {
  push(text: string): StreamEvent[];
  end(): StreamEvent[];
}

/** Reads a whole text. `auto` detects the format by its markers, and falls back to `json`. */
export function parseToolText(text: string, options: ReadText): ParsedToolText {
  const settings = JSON.stringify(options);
  const passed = callCore((core) => core.parseToolText(text, text.length, settings));
  const { dropped, parts, slices, ...parsed } = JSON.parse(passed);
  for (const [call, name, start, end] of slices) parsed.toolCalls[call].arguments[name] = text.slice(start, end);
  for (const message of dropped) options.onWarning?.(droppedText(message, ""));
  let plain = "";
  for (const part of parts) plain += typeof part === "string" ? part : text.slice(part[0], part[1]);
  return { text: plain, ...parsed };
}

/** The warning that text of the model was dropped. */
export const droppedText = (message: string, path: string): Warning => ({
  ...{ code: "content_dropped", message, path, lossy: true, level: "loss", dialect: "canonical" },
});

type Read = StreamEvent | { type: "dropped"; message: string };

/** The events of a reader, as `events` in src/text/bindings/read.rs writes them, without those that are warnings. */
export function eventsIn(passed: string, onWarning: ((warning: Warning) => void) | undefined): StreamEvent[] {
  if (passed === "") return [];
  if (!passed.startsWith("[")) return [deltaIn(passed)];
  return (JSON.parse(passed) as Read[]).flatMap((event) => {
    if (event.type !== "dropped") return [event];
    onWarning?.(droppedText(event.message, ""));
    return [];
  });
}

/** A delta that is passed as its letter, block and, for calls, id, each in a line, and its text. */
function deltaIn(passed: string): StreamEvent {
  const start = passed.indexOf("\n") + 1;
  const block = Number(passed.slice(1, start));
  const text = passed.slice(start);
  if (passed.startsWith("T")) return { type: "textDelta", block, text };
  if (passed.startsWith("R")) return { type: "reasoningDelta", block, text };
  const end = text.indexOf("\n");
  return { type: "toolCallDelta", block, id: text.slice(0, end), text: text.slice(end + 1) };
}

/** The maximum length of text that the reader has not read, although its events were returned. */
const MOST_AHEAD = 4096;

/**
 * Reads text incrementally and emits events. The result is the same as that of `parseToolText`, however the text is
 * split. Text is held back only while it may be the start of a marker.
 */
export function readToolText(options: ReadText): ToolTextReader {
  const reader = callCore((core) => new core.TextReader(JSON.stringify(options)));
  const allPasses = passesOf(reader.markerStarts());
  const warn = (warning: Warning) => options.onWarning?.(warning);
  // a surrogate pair may be split across two pieces
  let half = "";
  // text that the reader has not read, and the text of the events that were returned for it
  let ahead = "";
  let emitted = "";
  let last: StreamEvent | undefined;
  let passes: Passes | undefined;
  const read = (text: string) => {
    const events = eventsIn(
      callCore(() => reader.push(ahead + text)),
      warn,
    );
    last = events.at(-1);
    passes = isDelta(last) && half === "" ? allPasses[reader.verbatim()] : undefined;
    const returned = takeText(events, emitted);
    ahead = emitted = "";
    return returned;
  };
  return {
    push(text) {
      const passed = ahead.length + text.length < MOST_AHEAD ? passes?.(text) : undefined;
      if (passed !== undefined) {
        ahead += text;
        emitted += passed;
        return text === "" ? [] : [continued(last as Delta, passed)];
      }
      const whole = half + text;
      const code = whole.charCodeAt(whole.length - 1);
      const split = code >= 0xd800 && code < 0xdc00;
      half = split ? whole.slice(-1) : "";
      return read(split ? whole.slice(0, -1) : whole);
    },
    end() {
      const rest = half;
      half = "";
      const events = read(rest);
      return events.concat(
        eventsIn(
          callCore(() => reader.end()),
          warn,
        ),
      );
    },
  };
}

/** What a text format can be found by, if the name of the model is not known. */
export interface TextFormatSource {
  /**
   * The `response_template` of a tokenizer configuration (Hugging Face): how the tokenizer reads messages. Its markers decide. If they are those of no
   * listed format, and calls are JSON or Python between fixed markers, the format is the template itself, as JSON.
   */
  readonly responseTemplate?: object;
  /** The `response_schema` of a tokenizer configuration, which came before templates. */
  readonly responseSchema?: object;
  /** A chat template (Jinja), as tokenizer configurations have it. Its markers decide. */
  readonly template?: string;
  /** The name of a parser of mlx-lm, as its tokenizer configurations have it in `tool_parser_type`. */
  readonly toolParserType?: string;
}

/**
 * Returns the format that a model was trained on, by its name on servers, or by what a driver has: the response template first, then
 * the chat template and the parser. Undefined if it is unknown.
 */
export function textFormatOf(model: string | TextFormatSource): TextFormat | undefined {
  if (typeof model === "string") return callCore((core) => core.textFormatOf("model", model));
  for (const by of ["responseTemplate", "responseSchema", "template", "toolParserType"] as const) {
    const given = model[by];
    const text = typeof given === "object" ? JSON.stringify(given) : given;
    const format = text === undefined ? undefined : callCore((core) => core.textFormatOf(by, text));
    if (format !== undefined) return format;
  }
  return undefined;
}

/**
 * A text format: the models that use it, whether it can be read from a stream, and whether its calls have ids.
 * docs/text-formats.md shows each.
 */
export interface TextFormatInfo {
  readonly id: TextFormat;
  readonly models: string[];
  readonly streams: boolean;
  readonly ids: boolean;
}

let formats: readonly TextFormatInfo[] | undefined;
const listed = (): readonly TextFormatInfo[] => {
  formats ??= callCore((core) => JSON.parse(core.textFormats()) as TextFormatInfo[]);
  return formats;
};

/** All formats. The list is created on first use, because it requires the wasm instance. */
export const TEXT_FORMATS: readonly TextFormatInfo[] = new Proxy([] as TextFormatInfo[], {
  get: (_, key) => Reflect.get(listed(), key),
  has: (_, key) => Reflect.has(listed(), key),
  ownKeys: () => Reflect.ownKeys(listed()),
  getOwnPropertyDescriptor: (target, key) => {
    if (key === "length") return { ...Reflect.getOwnPropertyDescriptor(target, key), value: listed().length };
    return Reflect.getOwnPropertyDescriptor(listed(), key);
  },
});
