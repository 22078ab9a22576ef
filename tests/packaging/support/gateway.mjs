// The example gateway in a project, between OpenAI's official client and a loopback server that simulates Gemini.

import { clients } from "../../package/support/gateway-clients.mjs";
import { startUpstream, streamOf } from "../../package/support/gateway-upstream.mjs";

const SLOWEST = 10_000;
const PAUSE = 50;

/** A list of models, what the client and the provider received in a streamed conversation, and whether the gateway notices a client that disconnects. */
export async function gatewayOutcome(project, command) {
  const provider = await startUpstream();
  const env = { UPSTREAM: "gemini", UPSTREAM_URL: `${provider.url}/gemini`, UPSTREAM_KEY: "the-gateways-key" };
  const gateway = await project.serve(command, env).catch((error) => {
    provider.close();
    throw error;
  });
  const outcome = {};
  try {
    const listed = await fetch(`${gateway.url}/v1/models`);
    outcome.models = (await listed.json()).object;
    outcome.call = await clients.openai.converse(gateway.url, true).catch(String);
    outcome.requests = provider.requests.map(({ path, headers, canonical }) => [
      path,
      headers["x-goog-api-key"],
      canonical.messages.map(({ role, toolCalls, value }) => [role, toolCalls?.[0].arguments ?? value].filter(Boolean)),
    ]);
    outcome.abort = await leave(gateway.url, provider).catch(String);
    return outcome;
  } finally {
    await gateway.stop();
    provider.close();
  }
}

/**
 * A client disconnects in the middle of a stream: the request to the provider must be cancelled. The provider keeps sending until then,
 * because workerd notices a closed connection only when it writes to it.
 */
async function leave(url, provider) {
  const leaving = new AbortController();
  const canonical = new Promise((resolve) => {
    provider.instead = (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = streamOf("gemini", true).find((piece) => piece.length > 0);
      response.write(event);
      const going = setInterval(() => response.write(event), PAUSE);
      request.socket.on("close", () => {
        clearInterval(going);
        resolve("reaches the upstream");
      });
    };
  });
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], stream: true });
  const { signal } = leaving;
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body, signal });
  await response.body.getReader().read();
  leaving.abort();
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, SLOWEST, "is not told to the upstream");
  });
  return Promise.race([canonical, late]).finally(() => clearTimeout(timer));
}
