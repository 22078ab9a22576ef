// A loopback server that responds in each provider's own wire format, as a script specifies. To add a dialect, add a row to
// `../../package/support/gateway/provider.mjs`.

import { upstreams } from "../../package/support/gateway/provider.mjs";
import { bytesOf } from "../../package/support/stream-sources.mjs";
import { startScripted } from "./scripted.mjs";

export { upstreams };

/**
 * Responds in the dialect that the path's first segment names. A step of `play` is a response (`blocks`, `finish`), an error (`status`,
 * `headers`), or a failure: `hangs`, `breaks` (the connection, in the middle of the response). `received` has the requests.
 */
export const startProvider = () =>
  startScripted((provider, { request: { url, headers }, body }, response) => {
    provider.received.push({ url, headers, body, time: Date.now() });
    respond(provider.script[provider.received.length - 1], { url, body }, response);
  });

const usage = { input: 10, output: 5 };

function respond(step, { url, body }, response) {
  const [, dialect, ...segments] = url.split("/");
  const upstream = upstreams[dialect];
  if (step === undefined) return response.writeHead(500).end("the script has no more responses");
  if (step.hangs) return undefined;
  if (step.status) {
    response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
    const error = { status: step.status, message: step.message ?? "Slow down.", code: step.code };
    return response.end(JSON.stringify(upstream.error(error)));
  }
  const answer = { id: "resp_1", usage, model: upstream.model, ...step };
  if (!upstream.streams(body, segments.join("/"))) {
    response.setHeader("content-type", "application/json");
    const text = JSON.stringify(upstream.whole(answer, upstream.model));
    if (!step.breaks) return response.end(text);
    response.write(text.slice(0, text.length >> 1));
    return setTimeout(() => response.destroy(), 5);
  }
  response.setHeader("content-type", upstream.streamType ?? "text/event-stream");
  const bytes = bytesOf(answer, dialect);
  const half = bytes.length >> 1;
  response.write(bytes.subarray(0, half));
  if (step.breaks) return setTimeout(() => response.destroy(), 5);
  return response.end(bytes.subarray(half));
}
