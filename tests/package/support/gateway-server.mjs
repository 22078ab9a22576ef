// Gateways on loopback, from the built package.

import { folder } from "./package.mjs";

const entry = (file) => import(`${folder}dist/gateway/${file}`);
export const { createGateway, gatewayFetch } = await entry("node.js");
export const { serve } = await entry("serve.js");

const running = [];

/** Serves a gateway to one upstream. Returns its address. `more` are further fields of the configuration; `hooks` are the hooks. */
export async function gatewayTo(upstream, { hooks, ...more } = {}) {
  const config = { upstreams: { main: { retries: 0, ...upstream } }, open: "loopback", ...more };
  return serveGateway(createGateway(config, { onWarning: () => {}, ...hooks }));
}

export async function serveGateway(gateway, options) {
  const server = await serve(gateway, { port: 0, ...options });
  running.push(server);
  return server.url;
}

export async function stopGateways() {
  await Promise.all(running.splice(0).map((server) => server.stop()));
}

/** Sends JSON. */
export function post(url, body, { headers, ...more } = {}) {
  const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: sent,
    ...more,
  });
}
