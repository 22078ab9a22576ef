// A loopback server that plays an upstream of any format: it checks each request against the provider's rules, and responds as the script states.

import { createServer } from "node:http";
import { upstreams } from "../package/support/gateway/provider.mjs";
import { bytesOf } from "../package/support/stream-sources.mjs";

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
    const streams = upstream.streams(body, path);
    const complain = (place, what) => played.complaints.push(`${place} ${what}`);
    if (!upstream.path(upstream.model, streams).test(path)) complain("the path", path);
    upstream.check(body, complain, path);
    const step = script[played.requests.length];
    played.requests.push({ body, ...upstream.read(body) });
    if (!step) throw new Error("more requests than the script has steps");
    if (step.error) {
      response.writeHead(step.error.status, { "content-type": "application/json", "retry-after": "0" });
      return response.end(JSON.stringify(upstream.error(step.error)));
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
