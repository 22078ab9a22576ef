// A server for the client of a provider: it sends each request to another provider, which responds with a call, and with text once the call has its result.
// The other provider is the first part of the path.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before } from "node:test";
import { dialects } from "../../../scripts/lib/dialects.mjs";
import { esm } from "./package.mjs";

const { contextOf, convertRequest, convertResponse, convertStream } = await import(esm);

export const upstreams = dialects.filter(({ suffix }) => suffix).map(({ name }) => name);
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
export const tools = [{ type: "function", function: { name: "get_weather", description: "The weather", parameters } }];
export const question = { role: "user", content: "The weather in Paris?" };
const usage = { input: 3, output: 4 };

/** The provider's response: a call, and text once the call has its result. */
function given(upstream, request, call) {
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

/**
 * Starts the server before the tests of the file. Returns where it will be, and the requests in the canonical format that it will receive. `streamed` is
 * the path of streams, if it is another one.
 */
export function serveClient({ dialect, path: expected, streamed: streamedPath, call }) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, upstream, ...path] = request.url.split("/");
    const asked = path.join("/").split("#")[0];
    const streams = asked === streamedPath;
    if (!streams) assert.equal(asked, expected);
    const body = Buffer.concat(chunks).toString();
    const there = { from: dialect, to: upstream };
    const upstreamRequest = convertRequest(body, there);
    requests.push(JSON.parse(convertRequest(upstreamRequest, { from: upstream, to: "canonical" })));
    const back = { from: upstream, to: dialect, context: contextOf(body, there) };
    const answer = given(upstream, upstreamRequest, call);
    if (streams || JSON.parse(body).stream) {
      const converter = convertStream(back);
      response.setHeader("content-type", streams ? "application/vnd.amazon.eventstream" : "text/event-stream");
      response.write(converter.push(streamed(answer, upstream)));
      response.end(converter.finish());
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(convertResponse(convertResponse(whole(answer), { from: "canonical", to: upstream }), back));
  });
  before(() => new Promise((ready) => server.listen(0, "127.0.0.1", ready)));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, urlOf: (upstream) => `http://127.0.0.1:${server.address().port}/${upstream}` };
}

/** Checks that the provider received the call and its result, with equal ids, and the tool. */
export function checkReceived({ messages, tools: sent }) {
  assert.deepEqual(sent[0].parameters, parameters);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "tool"],
  );
  assert.equal(messages[2].toolCallId, messages[1].toolCalls[0].id);
}
