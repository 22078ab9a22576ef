// The stream objects of the providers' own clients give the same events as the bytes that the clients read.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GenerateContentResponse } from "@google/genai";
import { esm } from "./support/package.mjs";
import {
  anthropic,
  anthropicStream,
  googleStream,
  openAI,
  openAIStream,
  vertexAIStream,
} from "./support/stream-clients.mjs";
import { answers } from "./support/stream-scenarios.mjs";
import { inPieces, startServer } from "./support/stream-server.mjs";
import { bytesOf } from "./support/stream-sources.mjs";

const { fromGoogleGenAI, readStream, streamEvents } = await import(esm);

const messages = [{ role: "user", content: "Hi" }];
const streams = {
  openai: {
    "create({ stream: true })": openAIStream,
    "chat.completions.stream()": (url) => openAI(url).chat.completions.stream({ model: "m", messages }),
  },
  anthropic: {
    "create({ stream: true })": anthropicStream,
    "messages.stream()": (url) => anthropic(url).messages.stream({ model: "m", max_tokens: 9, messages }),
  },
  gemini: { generateContentStream: googleStream },
  vertexai: { generateContentStream: vertexAIStream },
};

/** Clients that report by themselves that a stream broke off. */
const REFUSES_CUTS = ["chat.completions.stream()"];

let server;
before(async () => {
  server = await startServer();
});
after(() => server.close());

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

for (const [from, ways] of Object.entries(streams)) {
  for (const [way, open] of Object.entries(ways)) {
    for (const answer of answers.filter(({ sources, error }) => sources.includes(from) && !error)) {
      test(`${from}, ${way}: ${answer.name}`, { timeout: 20_000 }, async () => {
        const bytes = bytesOf(answer, from);
        const [codes, codesOfObjects] = [[], []];
        const reader = readStream({ from, onWarning: ({ code }) => codes.push(code) });
        const expected = [...reader.push(bytes), ...reader.end()];
        const stream = await open(server.answering(() => inPieces(bytes, bytes.length > 10_000 ? 97 : 7)));
        const events = streamEvents(stream, { from, onWarning: ({ code }) => codesOfObjects.push(code) });
        if (answer.isCut && REFUSES_CUTS.includes(way)) return assert.rejects(collect(events), /missing finish_reason/);
        assert.deepEqual(await collect(events), expected);
        assert.deepEqual(codesOfObjects, codes);
      });
    }
  }
}

/** A stream that starts with these bytes and never ends; `onCancel` is called when its reader stops. */
function endless(begin, onCancel) {
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (!isBegun) controller.enqueue(begin);
      isBegun = true;
      return new Promise((resolve) => setTimeout(resolve, 5)).then(() => controller.enqueue(COMMENT));
    },
    cancel: onCancel,
  });
}
const COMMENT = new TextEncoder().encode(": still there\n\n");

// Google's client does not cancel its request when its loop is left.
for (const from of ["openai", "anthropic"]) {
  for (const [way, open] of Object.entries(streams[from])) {
    test(`${from}, ${way}: leaving the loop ends the request`, { timeout: 20_000 }, async () => {
      const begin = bytesOf({ ...answers.find(({ name }) => name === "text"), isCut: true }, from);
      const { promise: cancelled, resolve: onCancel } = deferred();
      for await (const event of streamEvents(await open(server.answering(() => endless(begin, onCancel))), { from })) {
        if (event.type === "textDelta") break;
      }
      await cancelled;
    });
  }
}

test("an error that the client raises passes through", async () => {
  const answer = answers.find(({ name }) => name === "an error");
  for (const from of ["openai", "anthropic", "gemini"]) {
    const stream = await Object.values(streams[from])[0](server.answering(() => inPieces(bytesOf(answer, from), 7)));
    const events = streamEvents(stream, { from });
    await assert.rejects(collect(events), ({ message }) => message.includes(answer.error.message));
  }
});

test("Google's responses are objects of a class with HTTP headers, which the result does not contain", async () => {
  const answer = answers.find(({ name }) => name === "text");
  for await (const response of await googleStream(server.answering(() => inPieces(bytesOf(answer, "gemini"), 7)))) {
    assert.ok(response instanceof GenerateContentResponse);
    assert.ok(response.sdkHttpResponse.headers);
    assert.equal(JSON.stringify(fromGoogleGenAI(response)).includes("sdkHttpResponse"), false);
  }
});
