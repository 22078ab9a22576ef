// A gateway as a `fetch`.

import type { Gateway } from "./types.js";
import { patiently } from "./wait.js";

const ADDRESS = "http://localhost";

/**
 * A `fetch` that responds through a gateway, without a server: `new OpenAI({ fetch: gatewayFetch(gateway) })` talks to
 * any provider. Of the URL, the gateway uses the path.
 */
export function gatewayFetch(gateway: Gateway): typeof fetch {
  return async (input, init) => {
    const { body } = init ?? {};
    const given = new Request(
      input,
      body instanceof ReadableStream ? ({ ...init, duplex: "half" } as RequestInit) : init,
    );
    given.signal.throwIfAborted();
    const { pathname, search } = new URL(given.url);
    const response = gateway(new Request(new URL(pathname + search, ADDRESS), given));
    // as `fetch` does, rejects at once when the signal aborts, and lets nobody read on
    return patiently(response, given);
  };
}
