// The official client `@google/genai` sends the request of a vector, and reads the response and the streams of others, from a server on this machine.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { GoogleGenAI } from "@google/genai";

const vectors = ["gemini-interactions", "gemini-interactions-responses", "gemini-interactions-streams"].flatMap(
  (file) => JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), "utf8")),
);
const vector = (name) => vectors.find((vector) => vector.name === name);
const request = vector("gemini-interactions/conversation").both["gemini-interactions"].body;
const written = (name, index = 0) => vector(name).convert[index].result;

const sent = [];
const server = createServer(async (incoming, response) => {
  let text = "";
  for await (const piece of incoming) text += piece;
  const body = JSON.parse(text);
  sent.push(body);
  if (!body.stream) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(written("gemini-interactions-responses/steps-and-outputs", 1)));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const events = written(
    body.input === "fail" ? "gemini-interactions-streams/error" : "gemini-interactions-streams/written",
  );
  response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());

const client = new GoogleGenAI({
  apiKey: "key",
  httpOptions: { baseUrl: `http://127.0.0.1:${server.address().port}` },
});

async function eventsOf(body) {
  const events = [];
  for await (const event of await client.interactions.create({ ...body, stream: true })) events.push(event);
  return events;
}

test("the client sends the request of a vector as it is, and reads a whole response", async () => {
  const { stream, ...whole } = request;
  assert.equal(stream, true);
  const response = await client.interactions.create(whole);
  assert.deepEqual(sent.at(-1), whole);
  assert.deepEqual(response.steps, written("gemini-interactions-responses/steps-and-outputs", 1).steps);
  assert.equal(response.status, "requires_action");
  assert.equal(response.usage.total_output_tokens, 7);
});

test("the client reads a stream, and an error in one", async () => {
  assert.deepEqual(await eventsOf(request), written("gemini-interactions-streams/written"));
  assert.deepEqual(await eventsOf({ model: "m", input: "fail" }), written("gemini-interactions-streams/error"));
});
