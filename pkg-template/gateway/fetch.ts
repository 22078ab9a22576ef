// A gateway as a `fetch`.

import type { Gateway } from "./types.js";

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
    return untilAborted(response, given.signal);
  };
}

/** As `fetch` does, rejects at once when the signal aborts, and lets nobody read on. */
async function untilAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave);
  });
  try {
    return await Promise.race([answer, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
