// A loopback server with scripted responses.

import { createServer } from "node:http";

/** `respond(provider, {request, body}, response)` responds to a request with a JSON body. Its return values are collected in `received`. */
export async function startScripted(respond) {
  const provider = { url: undefined, script: [], received: [], play, close };
  function play(...script) {
    Object.assign(provider, { script, received: [] });
  }
  function close() {
    server.closeAllConnections();
    server.close();
  }
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    respond(provider, { request, body: JSON.parse(Buffer.concat(chunks)) }, response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  provider.url = `http://127.0.0.1:${server.address().port}`;
  return provider;
}
