// Ollama's own client with a server that sends its requests to every other provider, for whole responses.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Ollama } from "ollama";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { esm } from "./support/package.mjs";

const { contextOf, convertRequest, convertResponse } = await import(esm);

const upstreams = dialects.filter(({ suffix }) => suffix).map(({ name }) => name);
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ type: "function", function: { name: "get_weather", description: "The weather", parameters } }];
const call = { id: "call_1", name: "get_weather", arguments: { city: "Paris" } };
const answers = {
  call: { message: { role: "assistant", content: [{ type: "text", text: "Let me see." }], toolCalls: [call] } },
  text: { message: { role: "assistant", content: [{ type: "text", text: "It is sunny." }] } },
};
const requests = [];
let server;
let url;

/** The provider's response: a call, and text once the call has its result. */
function answerOf(upstream, request) {
  const { messages } = JSON.parse(convertRequest(request, { from: upstream, to: "canonical" }));
  const { message } = messages.at(-1).role === "tool" ? answers.text : answers.call;
  const finishReason = message.toolCalls ? "tool_calls" : "stop";
  const answer = { id: "a", model: "m", message, finishReason, usage: { input: 3, output: 4 } };
  return convertResponse(JSON.stringify(answer), { from: "canonical", to: upstream });
}

before(async () => {
  server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, upstream, ...path] = request.url.split("/");
    assert.equal(path.join("/"), "api/chat");
    const body = Buffer.concat(chunks).toString();
    const there = { from: "ollama", to: upstream };
    const upstreamRequest = convertRequest(body, there);
    requests.push(JSON.parse(convertRequest(upstreamRequest, { from: upstream, to: "canonical" })));
    const back = { from: upstream, to: "ollama", context: contextOf(body, there) };
    response.setHeader("content-type", "application/json");
    response.end(convertResponse(answerOf(upstream, upstreamRequest), back));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

for (const upstream of upstreams) {
  test(`a call and its result by way of ${upstream}`, { timeout: 20_000 }, async () => {
    const client = new Ollama({ host: `${url}/${upstream}` });
    const messages = [{ role: "user", content: "The weather in Paris?" }];
    const first = await client.chat({ model: "m", messages, tools });
    assert.equal(first.message.content, "Let me see.");
    const [{ function: called }] = first.message.tool_calls;
    assert.deepEqual([called.name, called.arguments], [call.name, call.arguments]);
    assert.deepEqual([first.done, first.done_reason, first.prompt_eval_count, first.eval_count], [true, "stop", 3, 4]);
    const result = { role: "tool", tool_name: called.name, content: "sunny" };
    const last = await client.chat({ model: "m", messages: [...messages, first.message, result], tools });
    assert.equal(last.message.content, "It is sunny.");
    assert.equal(last.message.tool_calls, undefined);
    const { messages: received, tools: sent } = requests.at(-1);
    assert.deepEqual(sent[0].parameters, parameters);
    assert.deepEqual(
      received.map(({ role }) => role),
      ["user", "assistant", "tool"],
    );
    assert.equal(received[2].toolCallId, received[1].toolCalls[0].id);
  });
}
