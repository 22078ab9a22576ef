// Any client on one provider: `export default { fetch }` runs unchanged in workerd, Deno and Bun; node.js serves it from Node.
// Configured by the environment: UPSTREAM (a dialect), UPSTREAM_URL, UPSTREAM_KEY.

import { createGateway } from "toolwire/gateway";

let gateway;

export default {
  fetch(request, env) {
    // workerd passes the environment; Bun and Deno pass something else
    const { UPSTREAM, UPSTREAM_URL, UPSTREAM_KEY } = env?.UPSTREAM ? env : globalThis.process.env;
    const main = { dialect: UPSTREAM, baseUrl: UPSTREAM_URL, key: UPSTREAM_KEY };
    gateway ??= createGateway({ upstreams: { main }, open: "loopback" });
    return gateway(request);
  },
};
