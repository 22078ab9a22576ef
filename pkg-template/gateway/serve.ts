// `toolwire/gateway/node`: serves a gateway with Node's HTTP server.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientRequest, type DirectGateway, direct, type FirstBytes, type Served, type Source } from "./direct.js";
import { isLoopback } from "./guard.js";
import type { Gateway } from "./types.js";

export interface ServeOptions {
  /** Default 8787; 0 takes a free one. */
  port?: number;
  /** The address to listen at. Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
  /** Further names in `Host` that are served at a loopback address, for a proxy on this machine. */
  hosts?: string[];
  /** Limit on the headers of a request in bytes, above which the connection is closed. Default 64 KiB. */
  maxHeaderBytes?: number;
}

export interface GatewayServer {
  /** The address, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  /** Accepts no more requests. Resolves when those that run have ended. */
  close(): Promise<void>;
  /** Ends all requests at once. */
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8787;
const DEFAULT_HEADER_BYTES = 64 * 1024;
const HEADERS_MS = 30_000;
const REQUEST_MS = 120_000;

/** Serves a gateway. */
export function serve(gateway: Gateway, options: ServeOptions = {}): Promise<GatewayServer> {
  const { port = DEFAULT_PORT, host = "127.0.0.1", hosts = [], maxHeaderBytes = DEFAULT_HEADER_BYTES } = options;
  const isLocal = isLoopback(host.includes(":") ? `[${host}]` : host);
  const isServed = (name: string) => !isLocal || isLoopback(name) || hosts.includes(name);
  const limits = { maxHeaderSize: maxHeaderBytes, headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS };
  const server = createServer(limits, (incoming, outgoing) => {
    if (!isServed(incoming.headers.host ?? "")) return refuse(outgoing);
    void answer(gateway, incoming, outgoing);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const { port: taken } = server.address() as AddressInfo;
      const close = () => new Promise<void>((closed) => server.close(() => closed()));
      resolve({
        url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
        port: taken,
        close: () => {
          const closed = close();
          server.closeIdleConnections();
          return closed;
        },
        stop: () => {
          const closed = close();
          server.closeAllConnections();
          return closed;
        },
      });
    });
  });
}

/** A name that was made to point to this machine (DNS rebinding). */
function refuse(outgoing: ServerResponse): void {
  const message = "only addresses of this machine are served: the host must be loopback";
  outgoing.writeHead(403, { "content-type": "application/json", connection: "close" });
  outgoing.end(JSON.stringify({ error: { type: "permission_error", message } }));
}

async function answer(gateway: Gateway, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  try {
    const response = await answerOf(gateway, incoming, gone.signal);
    const headers = Object.fromEntries(response.headers);
    // the rest of a body that was refused is not read
    if (!incoming.complete) headers.connection = "close";
    const { body } = response;
    if (body instanceof Uint8Array) headers["content-length"] = String(body.length);
    outgoing.writeHead(response.status, headers);
    if (body instanceof Uint8Array) return void outgoing.end(body);
    if (body) await ("pull" in body ? drawn(body, outgoing) : written(body, outgoing));
    outgoing.end();
  } catch {
    // the head was sent, or the client went away
    outgoing.destroy();
  }
}

/** A gateway of this package needs no `Request`. */
function answerOf(gateway: Gateway & DirectGateway, incoming: IncomingMessage, signal: AbortSignal): Promise<Served> {
  const answer = gateway[direct];
  return answer ? answer(directRequest(incoming, signal)) : gateway(requestOf(incoming, signal));
}

const urlOf = ({ url, headers }: IncomingMessage) => new URL(url ?? "/", `http://${headers.host ?? "localhost"}`);

function directRequest(incoming: IncomingMessage, signal: AbortSignal): ClientRequest {
  const { method = "GET" } = incoming;
  const fields = incoming.headers;
  const get = (name: string) => fields[name.toLowerCase()]?.toString() ?? null;
  return {
    ...{ method, signal, url: urlOf(incoming).href },
    headers: {
      get,
      has: (name) => get(name) !== null,
      *[Symbol.iterator]() {
        for (const name of Object.keys(fields)) yield [name, get(name) ?? ""] as [string, string];
      },
    },
    get body() {
      return streamOf(incoming) as ClientRequest["body"];
    },
    read: (most) => firstPieces(incoming, most),
  };
}

/** The first bytes of a body. The connection stays open, so that a response can be sent. */
function firstPieces(incoming: IncomingMessage, most: number): Promise<FirstBytes> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const end = () => {
      incoming.off("data", take);
      resolve({ bytes: Buffer.concat(pieces, Math.min(size, most)), isCut: size > most });
    };
    const take = (piece: Uint8Array) => {
      pieces.push(piece);
      size += piece.length;
      if (size <= most) return;
      incoming.pause();
      end();
    };
    incoming.on("data", take);
    incoming.once("end", end);
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("the connection was closed")));
  });
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const url = urlOf(incoming);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const { method = "GET" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: streamOf(incoming), duplex: "half" } : {};
  return new Request(url, { method, headers, signal, ...body } as RequestInit);
}

/** The body as a stream that is read only as fast as it is asked for. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = incoming[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        // leaves the rest, without closing the connection before the response is sent
        incoming.pause();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Writes a body as fast as the client reads it. */
async function written(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  outgoing.on("close", leave);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) return;
    if (!outgoing.write(value)) await drained(outgoing);
  }
}

/** Writes what a source gives, as fast as the client reads it. */
async function drawn(source: Source, outgoing: ServerResponse): Promise<void> {
  let isOpen = !outgoing.destroyed;
  const sink = {
    enqueue: (piece: Uint8Array) => {
      if (!outgoing.destroyed) outgoing.write(piece);
    },
    close: () => {
      isOpen = false;
    },
  };
  const leave = () => {
    if (!isOpen) return;
    isOpen = false;
    source.cancel();
  };
  source.start(sink);
  if (!isOpen) return source.cancel();
  outgoing.on("close", leave);
  while (isOpen) {
    await source.pull(sink);
    if (isOpen && outgoing.writableNeedDrain) await drained(outgoing);
  }
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go);
      outgoing.off("close", go);
      resolve();
    };
    outgoing.on("drain", go);
    outgoing.on("close", go);
  });
