// Explains which kind of input was passed to a conversion that failed. Runs only on failure.

import { bases } from "../../build/generated/facts.js";
import { formatOfEvent, recognise } from "./recognise.js";
import { firstEvent, isEventStream, isPage } from "./stream-text.js";

const titles = {
  canonical: "canonical",
  openai: "OpenAI",
  "openai-responses": "OpenAI Responses",
  anthropic: "Anthropic",
  bedrock: "Bedrock",
  gemini: "Gemini",
  "gemini-interactions": "Gemini Interactions",
  cohere: "Cohere",
  mistral: "Mistral",
  ollama: "Ollama",
  universal: "report-format",
};
/** Maximum length of text that is parsed for a hint. */
const LONGEST_TEXT = 1 << 20;
/** Error codes that the wrong kind of input can cause, as opposed to a wrong value in it. */
const codes = ["missing_field", "invalid_type", "invalid_value", "invalid_json", "unreadable"];

/** Adds to the message what the input appears to be, if `task` (`{ subject, from }`) does not accept it. */
export function explain(error, task, input) {
  if (!codes.includes(error.code)) return;
  try {
    const found = otherObject(input);
    if (found !== undefined)
      replace(error, `expected ${task.subject === "tools" ? "an array" : "a plain object"}, found ${found}`);
    else add(error, hintOf(task, input));
  } catch {
    // a Proxy or a getter threw: leave the error without a hint
  }
}

function replace(error, message) {
  error.code = "invalid_type";
  error.path = "";
  error.message = message;
}

function add(error, hint) {
  if (hint !== undefined) error.message += ` (${hint})`;
}

/** Adds to the message of a stream error what the stream or the pushed piece appears to be. */
export function explainStream(error, from, { expected, piece, head }) {
  if (error.code !== "invalid_stream" && !codes.includes(error.code)) return;
  try {
    const isValue = typeof piece === "object" && piece !== null && !ArrayBuffer.isView(piece);
    const found = unfitPiece(expected, piece, isValue);
    if (found !== undefined) replace(error, `expected ${expected}, found ${found}`);
    else if (isValue) add(error, streamHint(from, { event: piece, isBare: true }));
    else if (!(error.event > 0)) add(error, headHint(from, head));
  } catch {
    // a Proxy or a getter threw
  }
}

/** A description of a value that is not a stream, with advice. Undefined if there is no advice. */
export function unfitSource(source) {
  try {
    const found = otherObject(source, bodyOfStream);
    if (found !== undefined) return found;
    const form = typeof source === "object" && source !== null && otherForm(source, {});
    return form && form.kind === "response" ? `${wholeResponse(form.dialect)}: see convertResponse` : undefined;
  } catch {
    return undefined;
  }
}

/** A description of a pushed value that can't be a piece of a stream. */
function unfitPiece(expected, piece, isValue) {
  const found = otherObject(piece, bodyOfStream);
  if (found !== undefined || expected !== BYTES) return found;
  if (typeof piece === "string") return "a string: encode it with TextEncoder";
  return isValue ? "an object: only readStream and streamEvents take events" : undefined;
}

export const BYTES = "a Uint8Array";
export const PIECES = "a Uint8Array, a string or an event";

function headHint(from, head) {
  if (head === "") return undefined;
  if (isPage(head)) return "this is an HTML page: see convertError";
  return streamHint(from, firstEvent(head));
}

function streamHint(from, { event, isBare }) {
  if (typeof event !== "object" || event === null) return undefined;
  if (isError(event)) return "this is an error body: see convertError";
  const dialect = formatOfEvent(event);
  const isWhole = isBare && (dialect === undefined || dialect === "gemini" || (dialect === "ollama" && event.done));
  if (isWhole) {
    const form = otherForm(event, {});
    if (form?.kind === "response") return `this looks like ${wholeResponse(form.dialect)}: see convertResponse`;
  }
  if (dialect === undefined || dialect === (bases[from] ?? from)) return undefined;
  return `this looks like ${articled(dialect)} stream`;
}

const wholeResponse = (dialect) => `a whole ${titles[dialect]} response`;

function articled(dialect) {
  const title = titles[dialect];
  return `${/^[AEIOU]/.test(title) ? "an" : "a"} ${title}`;
}

/** Advice for objects that contain the input. */
const bodyOfObject = {
  Response: "pass what its json() or text() resolves to",
  Request: "pass what its json() or text() resolves to",
  Blob: "pass what its text() resolves to",
  File: "pass what its text() resolves to",
};
const bodyOfStream = { Response: "pass its body", Blob: "pass its stream()", File: "pass its stream()" };

/** A description of an object that has no JSON form, with advice. Undefined for all others. */
function otherObject(input, advice = bodyOfObject) {
  if (typeof input !== "object" || input === null) return undefined;
  const name = Object.prototype.toString.call(input).slice(8, -1);
  if (typeof input.then === "function") return "a Promise: await it";
  if (Object.hasOwn(advice, name)) return `a ${name}: ${advice[name]}`;
  if (advice === bodyOfObject && (name === "ReadableStream" || typeof input[Symbol.asyncIterator] === "function"))
    return "a stream: use streamEvents, readStream or convertStream";
  if (["Map", "Set", "FormData", "Headers", "URLSearchParams", "DataView"].includes(name)) return `a ${name}`;
  return undefined;
}

/** The hint for a body, independent of the form in which it was passed. */
function hintOf(task, input) {
  if (typeof input !== "string" && !ArrayBuffer.isView(input) && !(input instanceof ArrayBuffer))
    return hint(task, input);
  if ((input.length ?? input.byteLength) > LONGEST_TEXT) return undefined;
  const text = typeof input === "string" ? input : new TextDecoder().decode(input);
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return task.subject === "response" ? hintOfText(text) : undefined;
  }
  return task.isValue ? "this is JSON text: parse it first" : hint(task, body);
}

/** A description of a text that is not JSON. */
function hintOfText(text) {
  if (isPage(text)) return "this is an HTML page: see convertError";
  const isStream = isEventStream(text) || formatOfEvent(firstEvent(text).event) !== undefined;
  return isStream ? "this is a stream: see streamEvents, readStream and convertStream" : undefined;
}

function hint({ subject: kind, from }, body) {
  // a path belongs to a request, in any format
  if (kind === "path" || typeof body !== "object" || body === null) return undefined;
  if (kind === "request" && isMessages(body)) return "these look like messages: pass them as { messages }";
  if (kind !== "error" && isError(body)) return "this is an error body: see convertError";
  const streamed = kind === "response" ? formatOfEvent(body) : undefined;
  // in the other formats, stream events are responses as well
  if (streamed !== undefined && !["gemini", "ollama"].includes(streamed))
    return `this is an event of ${articled(streamed)} stream: see streamEvents`;
  const form = otherForm(body, { kind, from });
  if (form === undefined) return undefined;
  if (form.kind === "tools") return `these look like ${titles[form.dialect]} tools`;
  return `this looks like ${articled(form.dialect)} ${form.kind}`;
}

function isMessages(body) {
  return Array.isArray(body) && body.length > 0 && body.every((message) => typeof message?.role === "string");
}

function isError(body) {
  const { error } = Array.isArray(body) ? (body[0] ?? {}) : body;
  return (
    (typeof error === "object" || typeof error === "string") &&
    error !== null &&
    recognise(body, {}).left.some((form) => form.kind === "error")
  );
}

/** The only form that the body can have, if it differs from the expected one. */
function otherForm(body, { kind, from }) {
  if (from !== undefined && recognise(body, { from, kind }).left.length > 0) return undefined;
  const forms = kind === "tools" ? recognise(body, { kind }).left : recognise(body, {}).left;
  return forms.length === 1 ? forms[0] : undefined;
}
