// A loopback server of streams, whatever is asked of it: what a provider's address would answer.

import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Bytes as a network may deliver them: in pieces that know nothing of events or characters. */
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
    // what fails here fails at the client: its connection breaks
    if (answer) await pipeline(Readable.fromWeb(answer()), response).catch(() => {});
    else response.end();
  });
  // a busy machine takes its time between two requests of a connection
  server.keepAliveTimeout = 60_000;
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  let count = 0;
  return {
    /** The address under which every request is answered with a stream that `make` gives. */
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
