// The examples, with what is to be seen in each. Their texts are files in www/examples/.

import type { Dialect } from "toolwire";
import type { Settings } from "./engine/protocol.ts";

/** How the page shows the example, where that is not its usual way. */
interface Setup {
  settings?: Settings;
  target?: Dialect;
}

export interface Example extends Setup {
  id: string;
  title: string;
  note: string;
  group: string;
  text: string;
}

const files = import.meta.glob<string>("../examples/*", { query: "?raw", import: "default", eager: true });

function textOf(id: string): string {
  const text = files[`../examples/${id}.json`] ?? files[`../examples/${id}.txt`];
  if (text === undefined) throw new Error(`the example ${id} has no file`);
  return text;
}

function example(group: string, id: string, title: string, note: string, setup: Setup = {}): Example {
  return { id, title, note, group, text: textOf(id), ...setup };
}

const calls = "Calls and results";
const definitions = "Tools and settings";
const answers = "Answers";
const streams = "Streams";

export const examples: Example[] = [
  example(
    calls,
    "parallel-calls",
    "Parallel calls",
    "Two calls in one turn, answered in the other order. Google wants the order of the calls.",
  ),
  example(
    calls,
    "gemini-without-ids",
    "Gemini without ids",
    "Two calls of the same function and nothing to tell them apart: ids are made, the same ones every time.",
  ),
  example(calls, "error-results", "Error results", "Anthropic has a flag for them, Gemini a key, OpenAI neither."),
  example(
    calls,
    "image-in-a-result",
    "An image in a result",
    "Where results hold text only, the image moves to a message after all of them.",
  ),
  example(
    calls,
    "thinking-with-signatures",
    "Thinking with signatures",
    "Signed reasoning goes back to its issuer and to nobody else.",
  ),
  example(
    calls,
    "missing-result",
    "A missing result",
    "One call was never answered, and one result answers no call. Most providers refuse both.",
  ),
  example(
    calls,
    "legacy-functions",
    "Legacy functions",
    "The functions of 2023, without ids, read as calls and written in today’s form.",
  ),
  example(
    calls,
    "one-result",
    "A single result",
    "Nothing but a tool_result block: it is converted as if it stood in its conversation.",
  ),
  example(
    calls,
    "report",
    "The report format",
    "Calls and results only, as drivers log them, made into a conversation that providers take.",
  ),
  example(
    definitions,
    "schema-gemini-rejects",
    "A schema that Gemini rejects",
    "Its OpenAPI form has 22 keywords and no references. What can be said otherwise is; the rest is told.",
    { settings: { geminiSchema: "openapi" } },
  ),
  example(
    definitions,
    "names-and-ids",
    "Illegal names and ids",
    "Dots, slashes and a long id are changed for call and result alike, and changed back in the answer.",
  ),
  example(
    definitions,
    "server-tools",
    "A provider’s own tools",
    "Web search on Anthropic’s servers is known to Anthropic only.",
  ),
  example(
    definitions,
    "settings",
    "Settings that others lack",
    "Seeds, penalties, biases, a schema for the answer: kept, brought into range or left out with a warning.",
  ),
  example(
    answers,
    "malformed-arguments",
    "Malformed arguments",
    "A call that was cut off keeps its exact text, and is wrapped where an object is demanded.",
  ),
  example(
    answers,
    "responses-items",
    "Items of the Responses API",
    "Reasoning, words and calls are items with ids of their own; elsewhere they are one message.",
  ),
  example(
    answers,
    "thought-signature",
    "A thought signature",
    "Gemini 3 wants the signature of a call back: it travels in the metadata.",
  ),
  example(
    answers,
    "exact-numbers",
    "Numbers to the last digit",
    "Beyond 2⁵³, 10.00 and 1e400: text is spliced, never parsed and printed again.",
  ),
  example(answers, "rate-limit", "A rate limit", "An error in each provider’s words, with what to do about it."),
  example(
    streams,
    "stream-openai",
    "Two calls, interleaved",
    "OpenAI sends pieces of two calls by turns. Anthropic’s blocks come one after the other, so the second waits.",
    { target: "anthropic" },
  ),
  example(
    streams,
    "stream-anthropic",
    "Thinking, text and a call",
    "Blocks that open, grow and close, with a signature at the end of the reasoning.",
  ),
  example(
    streams,
    "stream-gemini",
    "Whole calls at once",
    "Gemini streams text in pieces, but calls arrive whole and without ids.",
  ),
  example(
    streams,
    "stream-ollama",
    "Lines of JSON",
    "Ollama sends lines instead of events, thinking in the open and calls without ids.",
  ),
  example(
    streams,
    "stream-broken-off",
    "A stream that breaks off",
    "The connection ends inside a call. The target is told so in its own words.",
  ),
];
