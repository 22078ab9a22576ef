// What an input is that a conversion failed on. Only failures ask.

import { looksLike } from "./markers.js";
import { recognise } from "./recognise.js";

const titles = {
  canonical: "canonical",
  openai: "OpenAI",
  "openai-responses": "OpenAI Responses",
  anthropic: "Anthropic",
  gemini: "Gemini",
  ollama: "Ollama",
  universal: "report-format",
};
/** Longer texts are not parsed for a hint. */
const LONGEST_TEXT = 1 << 20;
/** Codes of errors that a wrong input causes, rather than a wrong value in it. */
const codes = ["missing_field", "invalid_type", "invalid_value", "invalid_json", "unreadable"];

/** Adds to the message what the input seems to be, where that is not what `task` (`{ kind, from }`) takes. */
export function explain(error, task, input) {
  if (!codes.includes(error.code)) return;
  try {
    const found = otherObject(input);
    if (found !== undefined)
      replace(error, `expected ${task.kind === "tools" ? "an array" : "a plain object"}, found ${found}`);
    else add(error, hint(task, bodyOf(input), typeof input === "string"));
  } catch {
    // a Proxy or a getter threw: the error is good without a hint
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

/** Objects that JSON has no form for, with what to do; undefined for all others. */
function otherObject(input) {
  if (typeof input !== "object" || input === null) return undefined;
  const name = Object.prototype.toString.call(input).slice(8, -1);
  if (typeof input.then === "function") return "a Promise: await it";
  if (name === "Response" || name === "Request") return `a ${name}: pass what its json() or text() resolves to`;
  if (name === "Blob" || name === "File") return `a ${name}: pass what its text() resolves to`;
  if (name === "ReadableStream" || typeof input[Symbol.asyncIterator] === "function")
    return "a stream: use streamEvents, readStream or convertStream";
  if (["Map", "Set", "FormData", "Headers", "URLSearchParams", "DataView"].includes(name)) return `a ${name}`;
  return undefined;
}

/** The body in whichever form it was passed; undefined if it is not JSON. */
function bodyOf(input) {
  if (typeof input !== "string" && !ArrayBuffer.isView(input) && !(input instanceof ArrayBuffer)) return input;
  if ((input.length ?? input.byteLength) > LONGEST_TEXT) return undefined;
  const text = typeof input === "string" ? input : new TextDecoder().decode(input);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hint({ kind, from, isValue }, body, isText) {
  if (isValue && isText) return body === undefined ? undefined : "this is JSON text: parse it first";
  // a path is that of a request in any format
  if (kind === "path" || typeof body !== "object" || body === null) return undefined;
  if (kind === "request" && isMessages(body)) return "these look like messages: pass them as { messages }";
  if (kind !== "error" && isError(body)) return "this is an error body: see convertError";
  const form = otherForm(body, { kind, from });
  if (form === undefined) return undefined;
  const title = titles[form.dialect];
  if (form.kind === "tools") return `these look like ${title} tools`;
  return `this looks like ${/^[AEIOU]/.test(title) ? "an" : "a"} ${title} ${form.kind}`;
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

/** The only form that the body can have, if that is not the one it was taken for. */
function otherForm(body, { kind, from }) {
  const isExpected = (form) => form.kind === kind && form.dialect === (looksLike[from] ?? from);
  const forms = kind === "tools" ? recognise(body, { kind }).left : recognise(body, {}).left;
  return forms.length === 1 && !isExpected(forms[0]) ? forms[0] : undefined;
}
