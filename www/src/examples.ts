// The examples, with a description of each, except the first one. Their texts are files in www/examples/.

import { type Example, firstExample, type Setup } from "./first-example.ts";

const files = import.meta.glob<string>(["../examples/*", "!../examples/parallel-calls.json"], {
  query: "?raw",
  import: "default",
  eager: true,
});

function textOf(id: string): string {
  const text = files[`../examples/${id}.json`] ?? files[`../examples/${id}.txt`];
  if (text === undefined) throw new Error(`the example ${id} has no file`);
  return text;
}

function example(group: string, id: string, title: string, note: string, setup: Setup = {}): Example {
  return { id, title, note, group, text: textOf(id), ...setup };
}

const calls = firstExample.group;
const definitions = "Tools and settings";
const responses = "Responses";
const streams = "Streams";

export const examples: Example[] = [
  firstExample,
  example(
    calls,
    "gemini-without-ids",
    "Gemini without ids",
    "Two calls of the same function, without ids. Ids are generated, and are the same every time.",
  ),
  example(
    calls,
    "gemini-interactions",
    "Steps of Gemini Interactions",
    "Thoughts, calls and results are steps of one list. The signature of the thought is sent to Google only.",
  ),
  example(
    calls,
    "cohere-plan",
    "A plan, and documents as results",
    "Cohere’s models plan before they call, and read documents. The plan is sent to Cohere only; documents become text.",
  ),
  example(
    calls,
    "error-results",
    "Error results",
    "Anthropic marks them with a flag, and Gemini with a key. OpenAI has neither.",
  ),
  example(
    calls,
    "image-in-a-result",
    "An image in a result",
    "If results can contain text only, the image is moved to a message after them.",
  ),
  example(
    calls,
    "thinking-with-signatures",
    "Thinking with signatures",
    "Signed reasoning is sent back only to the provider that signed it.",
  ),
  example(
    calls,
    "missing-result",
    "A missing result",
    "One call has no result, and one result has no call. Most providers reject both.",
  ),
  example(
    calls,
    "legacy-functions",
    "Legacy functions",
    "OpenAI’s functions of 2023, without ids: they are read as calls, and written in the current form.",
  ),
  example(
    calls,
    "one-result",
    "A single result",
    "A tool_result block alone: it is converted as it would be in its conversation.",
  ),
  example(
    calls,
    "report",
    "The report format",
    "Calls and results only, as programs log them. They become a conversation that providers accept.",
  ),
  example(
    definitions,
    "schema-gemini-rejects",
    "A schema that Gemini rejects",
    "Gemini’s OpenAPI form has 22 keywords and no references. The schema is rewritten where possible; the rest is reported.",
    { settings: { geminiSchema: "openapi" } },
  ),
  example(
    definitions,
    "names-and-ids",
    "Illegal names and ids",
    "Dots, slashes and a long id are replaced in calls and results, and restored in the response.",
  ),
  example(
    definitions,
    "server-tools",
    "A provider’s own tools",
    "Only Anthropic supports the web search on its servers.",
  ),
  example(
    definitions,
    "settings",
    "Settings that others do not have",
    "Seeds, penalties, biases and a schema for the response: kept, brought into range, or left out with a warning.",
  ),
  example(
    responses,
    "malformed-arguments",
    "Malformed arguments",
    "A call that was cut off keeps its exact text. It is wrapped in an object if the target requires one.",
  ),
  example(
    responses,
    "responses-items",
    "Items of the Responses API",
    "Reasoning, text and calls are items with their own ids. In other formats, they are one message.",
  ),
  example(
    responses,
    "thought-signature",
    "A thought signature",
    "Gemini 3 requires the signature of a call to be sent back: it is kept in the metadata.",
  ),
  example(
    responses,
    "exact-numbers",
    "Numbers to the last digit",
    "Numbers above 2⁵³, 10.00 and 1e400: their text is copied, not parsed and printed again.",
  ),
  example(
    responses,
    "rate-limit",
    "A rate limit",
    "An error in each provider’s format, with its cause and whether to retry.",
  ),
  example(
    streams,
    "stream-openai",
    "Two calls, interleaved",
    "OpenAI sends the deltas of two calls alternately. Anthropic’s blocks follow one another, so the second call is held back.",
    { target: "anthropic" },
  ),
  example(
    streams,
    "stream-anthropic",
    "Thinking, text and a call",
    "Blocks that start, grow and end, with a signature at the end of the reasoning.",
  ),
  example(
    streams,
    "stream-gemini",
    "Whole calls at once",
    "Gemini streams text in deltas, but calls arrive complete and without ids.",
  ),
  example(
    streams,
    "stream-ollama",
    "Lines of JSON",
    "Ollama sends lines instead of events, plain reasoning, and calls without ids.",
  ),
  example(
    streams,
    "stream-broken-off",
    "A stream that breaks off",
    "The connection ends inside a call. The target receives an error in its own format.",
  ),
];
