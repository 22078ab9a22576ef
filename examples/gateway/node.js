// Serves a fetch handler from Node: `node node.js 8080`.

import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";

/** Serves a fetch handler (`Request` to `Response`) with Node's HTTP server. */
export function serve(handle, port, host = "127.0.0.1") {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const url = new URL(incoming.url, `http://${incoming.headers.host ?? "localhost"}`);
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const body = hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {};
    const request = new Request(url, { method: incoming.method, headers, signal: gone.signal, ...body });
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    // If the client disconnects or the stream fails, all that is left to do is to close the connection.
    if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => outgoing.destroy());
    else outgoing.end();
  });
  return new Promise((ready) => server.listen(port, host, () => ready(server)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { default: gateway } = await import("./gateway.js");
  const server = await serve(gateway.fetch, Number(process.argv[2] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}`);
}
