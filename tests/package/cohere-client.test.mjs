// Cohere's own client with a server that sends its requests to every other provider, whole and streamed.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { CohereClientV2 } from "cohere-ai";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { esm } from "./support/package.mjs";

const { contextOf, convertRequest, convertResponse, convertStream } = await import(esm);

const upstreams = dialects.filter(({ suffix }) => suffix).map(({ name }) => name);
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ type: "function", function: { name: "get_weather", description: "The weather", parameters } }];
const question = { role: "user", content: "The weather in Paris?" };
const call = { id: "get_weather_a1", name: "get_weather", arguments: { city: "Paris" } };
const usage = { input: 3, output: 4 };
const requests = [];
let server;
let url;

/** The provider's response: a call, and text once the call has its result. */
function given(upstream, request) {
  const { messages } = JSON.parse(convertRequest(request, { from: upstream, to: "canonical" }));
  return messages.at(-1).role === "tool" ? { text: "It is sunny." } : { text: "Let me see.", call };
}

function whole({ text, call }) {
  const message = { role: "assistant", content: [{ type: "text", text }], ...(call && { toolCalls: [call] }) };
  return JSON.stringify({ id: "a", model: "m", message, finishReason: call ? "tool_calls" : "stop", usage });
}

function events({ text, call }) {
  const delta = { block: 1, id: call?.id };
  const json = JSON.stringify(call?.arguments);
  return [
    { type: "start", id: "a", model: "m" },
    ...[...text].map((letter) => ({ type: "textDelta", block: 0, text: letter })),
    ...(call
      ? [
          { type: "toolCallStart", ...delta, name: call.name },
          ...[...json].map((letter) => ({ type: "toolCallDelta", ...delta, text: letter })),
          { type: "toolCallEnd", block: 1, call },
        ]
      : []),
    { type: "usage", usage },
    { type: "finish", finishReason: call ? "tool_calls" : "stop" },
  ];
}

/** A stream of the upstream, from the events in the canonical format. */
function streamed(answer, upstream) {
  const text = events(answer)
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("");
  const converter = convertStream({ from: "canonical", to: upstream, includeUsage: true });
  return Buffer.concat([converter.push(new TextEncoder().encode(text)), converter.finish()]);
}

before(async () => {
  server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, upstream, ...path] = request.url.split("/");
    assert.equal(path.join("/").split("#")[0], "v2/chat");
    const body = Buffer.concat(chunks).toString();
    const there = { from: "cohere", to: upstream };
    const upstreamRequest = convertRequest(body, there);
    requests.push(JSON.parse(convertRequest(upstreamRequest, { from: upstream, to: "canonical" })));
    const back = { from: upstream, to: "cohere", context: contextOf(body, there) };
    const answer = given(upstream, upstreamRequest);
    if (JSON.parse(body).stream) {
      const converter = convertStream(back);
      response.setHeader("content-type", "text/event-stream");
      response.write(converter.push(streamed(answer, upstream)));
      response.end(converter.finish());
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(convertResponse(convertResponse(whole(answer), { from: "canonical", to: upstream }), back));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

async function complete(client, messages) {
  return client.chat({ model: "m", messages, tools });
}

/** Accumulates the events. */
async function completeStreamed(client, messages) {
  const message = { role: "assistant" };
  const found = { message };
  for await (const event of await client.chatStream({ model: "m", messages, tools })) {
    const piece = event.delta?.message;
    if (event.type === "content-start") message.content = [...(message.content ?? []), { ...piece.content }];
    if (event.type === "content-delta") message.content.at(-1).text += piece.content.text;
    if (event.type === "tool-call-start") message.toolCalls = [...(message.toolCalls ?? []), piece.toolCalls];
    if (event.type === "tool-call-delta")
      message.toolCalls.at(-1).function.arguments += piece.toolCalls.function.arguments;
    if (event.type === "message-end") Object.assign(found, event.delta);
  }
  return found;
}

for (const upstream of upstreams) {
  for (const [name, ask] of Object.entries({ whole: complete, streamed: completeStreamed })) {
    test(`a call and its result by way of ${upstream}, ${name}`, { timeout: 20_000 }, async () => {
      const client = new CohereClientV2({ token: "none", environment: `${url}/${upstream}`, maxRetries: 0 });
      const first = await ask(client, [question]);
      assert.deepEqual(first.message.content, [{ type: "text", text: "Let me see." }]);
      const [called] = first.message.toolCalls;
      assert.deepEqual([called.function.name, JSON.parse(called.function.arguments)], [call.name, call.arguments]);
      assert.deepEqual([first.finishReason, first.usage.tokens], ["TOOL_CALL", { inputTokens: 3, outputTokens: 4 }]);
      const result = { role: "tool", toolCallId: called.id, content: "sunny" };
      const last = await ask(client, [question, first.message, result]);
      assert.deepEqual(last.message.content, [{ type: "text", text: "It is sunny." }]);
      assert.equal(last.finishReason, "COMPLETE");
      const { messages: received, tools: sent } = requests.at(-1);
      assert.deepEqual(sent[0].parameters, parameters);
      assert.deepEqual(
        received.map(({ role }) => role),
        ["user", "assistant", "tool"],
      );
      assert.equal(received[2].toolCallId, received[1].toolCalls[0].id);
    });
  }
}
