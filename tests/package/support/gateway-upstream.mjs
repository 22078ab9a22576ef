// A loopback server that simulates every provider: it responds to the first question with a call, and to its result with text.

import { createServer } from "node:http";
import { spoken } from "./gateway-clients.mjs";
import { esm } from "./package.mjs";

const { contextOf, convertRequest, convertResponse, convertStream } = await import(esm);

export const call = { id: "call_1", name: spoken.name, arguments: { city: "Paris" } };
export const texts = ["Let me see.", "It is sunny."];
const bytes = (text) => new TextEncoder().encode(text);

const answer = (hasResult) => ({
  id: "a",
  model: "m",
  message: {
    role: "assistant",
    content: [{ type: "text", text: texts[hasResult ? 1 : 0] }],
    ...(!hasResult && { toolCalls: [call] }),
  },
  finishReason: hasResult ? "stop" : "tool_calls",
  usage: { input: 3, output: 4 },
});

const events = (hasResult) => [
  { type: "start", id: "a", model: "m" },
  ...texts[hasResult ? 1 : 0].split(/(?<= )/).map((text) => ({ type: "textDelta", block: 0, text })),
  ...(hasResult
    ? []
    : [
        { type: "toolCallStart", block: 1, id: call.id, name: call.name },
        { type: "toolCallDelta", block: 1, id: call.id, text: '{"city":' },
        { type: "toolCallDelta", block: 1, id: call.id, text: '"Paris"}' },
        { type: "toolCallEnd", block: 1, call },
      ]),
  { type: "usage", usage: { input: 3, output: 4, total: 7 } },
  { type: "finish", finishReason: hasResult ? "stop" : "tool_calls" },
];

/** The pieces of a streamed response; `context` is that of the request. */
export function streamOf(dialect, hasResult, context) {
  const converter = convertStream({ from: "canonical", to: dialect, context });
  const text = events(hasResult).map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return [...text.map((event) => converter.push(bytes(event))), converter.finish()];
}

/** Responds in the dialect of the path's first segment. `requests` has the received requests. `instead`, if set, replaces the response. */
export async function startUpstream() {
  const upstream = { requests: [], instead: undefined, url: undefined, close: undefined };
  const server = createServer((request, response) =>
    provide(upstream, request, response).catch((error) => response.writeHead(500).end(String(error.stack))),
  );
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  upstream.url = `http://127.0.0.1:${server.address().port}`;
  upstream.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return upstream;
}

const streamTypes = { bedrock: "application/vnd.amazon.eventstream", ollama: "application/x-ndjson" };

/** The same bytes, split within a message of AWS. */
function split(pieces) {
  const bytes = Buffer.concat(pieces);
  return [bytes.subarray(0, 150), bytes.subarray(150)];
}

async function provide({ requests, instead }, request, response) {
  const [, dialect, ...path] = request.url.split("/");
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const canonical = JSON.parse(convertRequest(body, { from: dialect, to: "canonical" }));
  requests.push({ dialect, path: path.join("/"), headers: request.headers, body: JSON.parse(body), canonical });
  if (instead) return instead(request, response);
  const hasResult = canonical.messages.at(-1).role === "tool";
  const streams = canonical.stream || path.join("/").includes("stream");
  if (!streams) {
    response.setHeader("content-type", "application/json");
    return response.end(convertResponse(JSON.stringify(answer(hasResult)), { from: "canonical", to: dialect }));
  }
  response.setHeader("content-type", streamTypes[dialect] ?? "text/event-stream; charset=utf-8");
  const context = contextOf(body, { from: dialect, to: "canonical" });
  const pieces = streamOf(dialect, hasResult, context);
  for (const piece of dialect === "bedrock" ? split(pieces) : pieces) if (piece.length > 0) response.write(piece);
  response.end();
}
