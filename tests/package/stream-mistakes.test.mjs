// The most likely mistakes with streams: another provider's stream, a whole body, an error or a page, and streams for functions that accept
// none.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolwire from "../../pkg/dist/index.js";

const encoder = new TextEncoder();
const bytes = (text) => encoder.encode(text);
const sse = (...events) => events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const data = (...events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const lines = (...events) => events.map((event) => `${JSON.stringify(event)}\n`).join("");

const chunk = { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hi" } }] };
const messageStart = { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } };
const created = { type: "response.created", response: { id: "r", object: "response", output: [] } };
const candidate = { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] };
const line = { model: "m", message: { role: "assistant", content: "Hi" }, done: false };
const completion = {
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};
const errorBody = JSON.stringify({ error: { message: "Slow down.", type: "tokens", code: "rate_limit_exceeded" } });
const page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>\n";

const read = (from, ...pieces) => {
  const reader = toolwire.readStream({ from });
  for (const piece of pieces) reader.push(piece);
  reader.end();
};
const convert = (from, ...pieces) => {
  const converter = toolwire.convertStream({ from, to: "canonical" });
  for (const piece of pieces) converter.push(piece);
  converter.finish();
  converter.finish();
};
const events = async (source, from) => {
  for await (const _ of toolwire.streamEvents(source, { from }));
};
const pipe = async (from, text) => {
  const body = new Response(text).body.pipeThrough(toolwire.convertStream({ from, to: "openai" }).transform());
  await new Response(body).text();
};

/** The mistake, the call, and the message of the error. */
const mistakes = [
  [
    "Anthropic's stream for Chat's",
    () => read("openai", sse(messageStart)),
    "/0: this is not a chunk of a Chat Completions stream (this looks like an Anthropic stream)",
  ],
  [
    "the same as bytes, in small pieces",
    () => convert("openai", ...[...sse(messageStart)].map(bytes)),
    "/0: this is not a chunk of a Chat Completions stream (this looks like an Anthropic stream)",
  ],
  [
    "the same as an SDK's events",
    () => read("openai", messageStart),
    "/0: this is not a chunk of a Chat Completions stream (this looks like an Anthropic stream)",
  ],
  [
    "the same through streamEvents",
    () => events([bytes(sse(messageStart))], "openai"),
    "/0: this is not a chunk of a Chat Completions stream (this looks like an Anthropic stream)",
  ],
  [
    "the same through a pipe",
    () => pipe("openai", sse(messageStart)),
    "/0: this is not a chunk of a Chat Completions stream (this looks like an Anthropic stream)",
  ],
  [
    "Chat's stream for that of Responses",
    () => read("openai-responses", data(chunk)),
    "/0: this is a Chat Completions chunk, not a Responses event (this looks like an OpenAI stream)",
  ],
  [
    "that of Responses for Chat's",
    () => read("openai", sse(created)),
    "/0: this is not a chunk of a Chat Completions stream (this looks like an OpenAI Responses stream)",
  ],
  [
    "Chat's stream for Gemini's",
    () => read("gemini", data(chunk)),
    "/0: this is not a chunk of a Gemini stream (this looks like an OpenAI stream)",
  ],
  [
    "Gemini's stream for Anthropic's",
    () => read("anthropic", data(candidate)),
    "/0: this is a Gemini chunk, not an Anthropic event (this looks like a Gemini stream)",
  ],
  [
    "Gemini's array for Chat's stream",
    () => read("openai", JSON.stringify([candidate])),
    "/0: this is not a chunk of a Chat Completions stream (this looks like a Gemini stream)",
  ],
  [
    "Ollama's lines for Chat's stream",
    () => read("openai", lines(line, line)),
    "/0: this is JSON, not an event stream (this looks like an Ollama stream)",
  ],
  [
    "Chat's stream for Ollama's lines",
    () => read("ollama", data(chunk)),
    "/0: this is not a line of an Ollama chat stream (this looks like an OpenAI stream)",
  ],
  [
    "Chat's stream for canonical events",
    () => read("canonical", data(chunk)),
    "/0/type is missing (this looks like an OpenAI stream)",
  ],
  [
    "a whole response",
    () => read("openai", JSON.stringify(completion, null, 2)),
    "/0: this is JSON, not an event stream (this looks like a whole OpenAI response: see convertResponse)",
  ],
  [
    "another provider's whole response",
    () => convert("anthropic", bytes(JSON.stringify(completion))),
    "/0: this is JSON, not an event stream (this looks like a whole OpenAI response: see convertResponse)",
  ],
  [
    "Gemini's whole response for Chat's stream",
    () => read("openai", JSON.stringify(candidate)),
    "/0: this is JSON, not an event stream (this looks like a whole Gemini response: see convertResponse)",
  ],
  [
    "an SDK's whole response as an event",
    () => read("anthropic", completion),
    "/0: this is a Chat Completions chunk, not an Anthropic event (this looks like a whole OpenAI response: see convertResponse)",
  ],
  [
    "an SDK's whole response as a stream",
    () => events(completion, "openai"),
    "expected a stream: an iterable, or a ReadableStream, found a whole OpenAI response: see convertResponse",
  ],
  [
    "an error body",
    () => read("openai", errorBody),
    "/0: this is an error, not an event stream: Slow down. (this is an error body: see convertError)",
  ],
  [
    "a page",
    () => read("openai", page),
    "this is not an event stream: a line that is not a field of an event stream (this is an HTML page: see convertError)",
  ],
  [
    "a page through a pipe",
    () => pipe("gemini", page),
    "this is not an event stream: a line that is not a field of an event stream (this is an HTML page: see convertError)",
  ],
  [
    "fetch's response as a stream",
    () => events(new Response(page), "openai"),
    "expected a stream: an iterable, or a ReadableStream, found a Response: pass its body",
  ],
  [
    "no await",
    () => events(Promise.resolve([]), "openai"),
    "expected a stream: an iterable, or a ReadableStream, found a Promise: await it",
  ],
  ["nothing", () => events(undefined, "openai"), "expected a stream: an iterable, or a ReadableStream"],
  [
    "a pushed promise",
    () => read("openai", Promise.resolve(chunk)),
    "expected a Uint8Array, a string or an event, found a Promise: await it",
  ],
  [
    "a pushed response",
    () => read("openai", new Response(page)),
    "expected a Uint8Array, a string or an event, found a Response: pass its body",
  ],
  [
    "text to a converter",
    () => convert("openai", data(chunk)),
    "expected a Uint8Array, found a string: encode it with TextEncoder",
  ],
  [
    "events to a converter",
    () => convert("openai", chunk),
    "expected a Uint8Array, found an object: only readStream and streamEvents take events",
  ],
  [
    "a stream as a whole response",
    () => toolwire.convertResponse(data(chunk), { from: "openai", to: "anthropic" }),
    "not JSON: expected a value at byte 0 (this is a stream: see streamEvents, readStream and convertStream)",
  ],
  [
    "the bytes of a stream as a whole response",
    () => toolwire.convertResponse(bytes(sse(messageStart)), { from: "anthropic", to: "openai" }),
    "not JSON: expected a value at byte 0 (this is a stream: see streamEvents, readStream and convertStream)",
  ],
  [
    "lines as a whole response",
    () => toolwire.convertResponse(lines(line, line), { from: "ollama", to: "openai" }),
    "not JSON: text after the end of the value at byte 73 (this is a stream: see streamEvents, readStream and convertStream)",
  ],
  [
    "an event as a whole response",
    () => toolwire.fromOpenAI(chunk),
    "/choices/0/message is missing (this is an event of an OpenAI stream: see streamEvents)",
  ],
  [
    "another provider's event as a whole response",
    () => toolwire.fromOpenAI(messageStart),
    "/choices is missing (this is an event of an Anthropic stream: see streamEvents)",
  ],
  [
    "a page as a whole response",
    () => toolwire.convertResponse(page, { from: "openai", to: "anthropic" }),
    "not JSON: expected a value at byte 0 (this is an HTML page: see convertError)",
  ],
];

for (const [mistake, act, message] of mistakes) {
  test(mistake, async () => {
    await assert.rejects(
      async () => act(),
      (error) => {
        assert.ok(error instanceof toolwire.ToolwireError, String(error));
        assert.equal(error.message, message);
        assert.ok(message.includes(error.path));
        return true;
      },
    );
  });
}

test("reusing a Buffer does not change events that were read", () => {
  const reader = toolwire.readStream({ from: "openai" });
  const buffer = Buffer.from(sse(messageStart).slice(0, -1));
  reader.push(buffer);
  buffer.fill(0);
  assert.throws(() => reader.push("\n"), { message: /this looks like an Anthropic stream/ });
});
