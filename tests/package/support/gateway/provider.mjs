// A loopback server that simulates every provider: it checks each request against the provider's rules and responds as the scenario
// specifies.

import { createServer } from "node:http";
import { bytesOf } from "../stream-sources.mjs";
import anthropic from "./upstreams/anthropic.mjs";
import bedrock from "./upstreams/bedrock.mjs";
import cohere from "./upstreams/cohere.mjs";
import interactions from "./upstreams/gemini-interactions.mjs";
import google from "./upstreams/google.mjs";
import ollama from "./upstreams/ollama.mjs";
import openai from "./upstreams/openai.mjs";
import responses from "./upstreams/openai-responses.mjs";

/** By dialect: its rules, a reader of requests, a writer of responses, and the model to request. */
export const upstreams = {
  openai: { ...openai, model: "gpt-5" },
  "openai-responses": { ...responses, model: "gpt-5" },
  anthropic: { ...anthropic, model: "claude-opus-5" },
  gemini: { ...google, model: "gemini-3-pro-preview" },
  vertexai: { ...google, model: "gemini-2.5-pro" },
  "gemini-interactions": { ...interactions, model: "gemini-3-pro-preview" },
  ollama: { ...ollama, model: "qwen3" },
  cohere: { ...cohere, model: "command-a-03-2025" },
  bedrock: { ...bedrock, model: "us.anthropic.claude-opus-4-6-v1:0" },
};

/**
 * Responds in the dialect of the path's first segment. `play` sets the scenario, whose responses are in `answers`, in their order, or are
 * those of the function `answer`. `requests` has the requests received from then on, `complaints` their problems. `describe` returns the problems of a body by the provider's own API description.
 */
export async function startProvider(describe = () => []) {
  const provider = { url: undefined, requests: [], complaints: [], scenario: undefined, play, close };
  function play(scenario) {
    Object.assign(provider, { scenario, requests: [], complaints: [] });
  }
  function close() {
    server.closeAllConnections();
    server.close();
  }
  const server = createServer(async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      answer(provider, describe, request, JSON.parse(Buffer.concat(chunks)), response);
    } catch (error) {
      provider.complaints.push(error.stack);
      response.writeHead(500).end();
    }
  });
  // a busy machine may take long between two requests of a connection
  server.keepAliveTimeout = 60_000;
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  provider.url = `http://127.0.0.1:${server.address().port}`;
  return provider;
}

function answer({ scenario, requests, complaints }, describe, { url, headers }, body, response) {
  const [, dialect, ...segments] = url.split("/");
  const path = segments.join("/");
  const upstream = upstreams[dialect];
  const streams = upstream.streams(body, path);
  const complain = (place, what) => complaints.push(`${place} ${what}: ${JSON.stringify(body)}`);
  if (!upstream.path(upstream.model, streams).test(path)) complain("the path", path);
  for (const name of upstream.headers ?? []) if (!headers[name]) complain("the request", `has no ${name}`);
  upstream.check(body, complain, path);
  for (const { path: place, problem } of describe(dialect, body)) complain(place, problem);
  const read = upstream.read(body);
  requests.push({ headers, body, ...read });

  if (scenario.error) {
    const { status, retryAfter } = scenario.error;
    response.writeHead(status, { "content-type": "application/json", "retry-after": retryAfter });
    return response.end(JSON.stringify(upstream.error(scenario.error)));
  }
  const next = scenario.answer?.(read) ?? scenario.answers[requests.length - 1];
  if (!next) throw new Error("more requests than the scenario has responses");
  if (!streams) {
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify(upstream.whole(next, upstream.model)));
  }
  response.setHeader("content-type", upstream.streamType ?? "text/event-stream");
  const bytes = bytesOf({ ...next, model: upstream.model }, dialect);
  const half = bytes.length >> 1;
  response.write(bytes.subarray(0, half));
  response.end(bytes.subarray(half));
}
