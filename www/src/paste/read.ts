// Reads what was pasted: as JSON or a stream, or else by taking off what surrounds it, and by repairing JSON.

import type { Dialect } from "toolwire";
import { identify, isRecognised } from "../engine/identify.ts";
import type { Kind, Settings } from "../engine/protocol.ts";
import { parsed, type Unwrapped, unwrapText } from "./texts.ts";
import { unwrapFirst, unwrapValue } from "./values.ts";

export interface Reading {
  text: string;
  /** What was read from what, each to follow the word “read”. Empty if nothing had to be done. */
  steps: string[];
  from?: Dialect;
  kind?: Kind;
  settings?: Settings;
}

/** What takes wasm of its own, which is loaded when it is first needed. Each is undefined if there is nothing to be read. */
export interface Readers {
  /** A repair of JSON, and the number of changes. */
  repair(text: string): Promise<{ text: string; changes: number } | undefined>;
  /** A response with the calls in the text of a model. */
  responseOfText(text: string): Promise<Unwrapped | undefined>;
}

/** How many wrappers are taken off. */
const mostSteps = 8;
/** Longer texts are only taken as they are. */
const longest = 5_000_000;

/** Undefined if the text is not understood: it is then shown as it is. */
export async function read(text: string, readers: Readers): Promise<Reading | undefined> {
  const steps: string[] = [];
  const known: Pick<Unwrapped, "url" | "status"> = {};
  let at = text;
  while (text.length <= longest && steps.length <= mostSteps) {
    const value = parsed(at);
    const first = unwrapFirst(at, value);
    if (!first && isRecognised(at, value)) return reading(at, value, steps, known);
    const next =
      first ??
      (value === undefined
        ? (unwrapText(at) ?? (await readers.responseOfText(at)) ?? (await repaired(at, readers)))
        : unwrapValue(at, value));
    if (!next) return undefined;
    at = next.text;
    steps.push(next.step);
    if (next.url) known.url = next.url;
    if (next.status) known.status = next.status;
  }
  return undefined;
}

async function repaired(text: string, { repair }: Readers): Promise<Unwrapped | undefined> {
  const found = await repair(text);
  if (!found) return undefined;
  const count = `${found.changes} ${found.changes === 1 ? "change" : "changes"}`;
  return { text: found.text, step: `as ${languageOf(text)}, with ${count}` };
}

/** What text that is not JSON most likely is. */
function languageOf(text: string): string {
  if (/\b(?:None|True|False)\b/.test(text)) return "Python";
  if (/^\s*(?:\/\/|\/\*)|,\s*(?:\/\/|\/\*)/m.test(text)) return "JSON with comments";
  if (/[{,]\s*[A-Za-z_$][\w$]*\s*:/.test(text)) return "JavaScript";
  if (/[{,[]\s*'/.test(text)) return "Python";
  return "repaired JSON";
}

const paths: [RegExp, Dialect][] = [
  [/\/chat\/completions/, "openai"],
  [/\/v1\/responses/, "openai-responses"],
  [/\/v1\/messages/, "anthropic"],
  [/aiplatform.*:(?:stream)?[gG]enerateContent/, "vertexai"],
  [/:(?:stream)?[gG]enerateContent/, "gemini"],
  [/\/api\/chat/, "ollama"],
];

function reading(
  text: string,
  value: unknown,
  steps: string[],
  { url, status }: Pick<Unwrapped, "url" | "status">,
): Reading {
  const found: Reading = { text, steps };
  const sentTo = url && paths.find(([path]) => path.test(url))?.[1];
  const identity = identify({ text, settings: {} }, value);
  if (sentTo && sentTo !== identity.from && isRecognised(text, value, sentTo)) found.from = sentTo;
  const model = /\/models\/([^/:?]+):/.exec(url ?? "")?.[1];
  if (model && identity.kind === "request") found.settings = { model: decodeURIComponent(model) };
  if (status !== undefined && identity.kind === "error") found.settings = { status };
  return found;
}
