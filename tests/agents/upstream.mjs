// A loopback server that plays an upstream of any format: it checks each request against the provider's rules, and responds as the script states.

import { createServer } from "node:http";
import { upstreams } from "../package/support/gateway/provider.mjs";
import { bytesOf } from "../package/support/stream-sources.mjs";

/**
 * What each provider responds to a context that is too long. The vectors `errors/context-length-…` have the sources; Ollama passes on the error of
 * llama.cpp.
 */
const overflows = {
  openai: ({ used, limit }) => ({
    error: {
      message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${used} tokens. Please reduce the length of the messages.`,
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  }),
  "openai-responses": () => ({
    error: {
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      type: "invalid_request_error",
      param: "input",
      code: "context_length_exceeded",
    },
  }),
  anthropic: ({ used, limit }) => ({
    type: "error",
    error: { type: "invalid_request_error", message: `prompt is too long: ${used} tokens > ${limit} maximum` },
    request_id: "req_1",
  }),
  gemini: ({ used, limit }) => ({
    error: {
      code: 400,
      message: `The input token count (${used}) exceeds the maximum number of tokens allowed (${limit}).`,
      status: "INVALID_ARGUMENT",
    },
  }),
  ollama: ({ used, limit }) => ({
    error: `the request (${used} tokens) exceeds the available context size (${limit} tokens), try increasing it`,
  }),
};

/** What each provider responds to a request that asks for the number of tokens only. */
const counts = {
  "openai-responses": { object: "response.input_tokens", input_tokens: 900 },
  anthropic: { input_tokens: 900 },
  gemini: { totalTokens: 900 },
};
const isCount = (path) => /(?:count_tokens|input_tokens|:countTokens)$/.test(path);

/** Responds with the steps of `script` in turn: a response, `{ error }`, or `{ reset: true }`, which breaks off in the middle of a response. */
export async function startUpstream(dialect, script) {
  const upstream = upstreams[dialect];
  const played = { requests: [], complaints: [], url: undefined, close };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    try {
      answer(JSON.parse(text), request.url, response);
    } catch (error) {
      played.complaints.push(`${request.method} ${request.url}: ${error.stack}`);
      response.writeHead(500).end();
    }
  });
  function close() {
    server.closeAllConnections();
    server.close();
  }
  function answer(body, url, response) {
    const path = url.slice(1);
    if (isCount(path)) return response.end(JSON.stringify(counts[dialect]));
    const streams = upstream.streams(body, path);
    const complain = (place, what) => played.complaints.push(`${place} ${what}`);
    if (!upstream.path(upstream.model, streams).test(path)) complain("the path", path);
    upstream.check(body, complain, path);
    const step = script[played.requests.length];
    played.requests.push({ body, step, ...upstream.read(body) });
    if (!step) throw new Error("more requests than the script has steps");
    if (step.error) {
      response.writeHead(step.error.status, { "content-type": "application/json", "retry-after": "0" });
      const { contextLength } = step.error;
      const error = contextLength ? overflows[dialect](contextLength) : upstream.error(step.error);
      return response.end(JSON.stringify(error));
    }
    if (!streams) {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify(upstream.whole(step, upstream.model)));
    }
    response.setHeader("content-type", dialect === "ollama" ? "application/x-ndjson" : "text/event-stream");
    const bytes = bytesOf({ ...step, model: upstream.model }, dialect);
    const half = bytes.length >> 1;
    response.write(bytes.subarray(0, half));
    if (step.reset) setTimeout(() => response.destroy(), 100);
    else response.end(bytes.subarray(half));
  }
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  played.url = `http://127.0.0.1:${server.address().port}`;
  return played;
}
