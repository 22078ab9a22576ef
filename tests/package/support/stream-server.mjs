// A loopback server of streams that responds to any request, in place of a provider.

import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Bytes as a network may deliver them: in pieces that ignore the bounds of events and characters. */
export function inPieces(bytes, size) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

export async function startServer() {
  const answers = new Map();
  const server = createServer(async (request, response) => {
    request.resume();
    const answer = answers.get(request.url.split("/")[1]);
    response.writeHead(answer ? 200 : 404, { "content-type": "text/event-stream" });
    // an error here breaks the connection, so that the client fails
    if (answer) await pipeline(Readable.fromWeb(answer()), response).catch(() => {});
    else response.end();
  });
  // a busy machine may take long between two requests of a connection
  server.keepAliveTimeout = 60_000;
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  let count = 0;
  return {
    /** The address at which every request gets a stream of `make` as response. */
    answering(make) {
      const key = `${count++}`;
      answers.set(key, make);
      return `http://127.0.0.1:${server.address().port}/${key}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
