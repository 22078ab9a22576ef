// Reads the bodies of requests and responses within bounds.

import type { ClientRequest, FirstBytes } from "./direct.js";
import { Failure } from "./failure.js";
import { patiently } from "./wait.js";

/** How long a client may take to send its body, in milliseconds. */
const BODY_MS = 60_000;
const inflated = ["gzip", "deflate"] as const;

export interface Bounds {
  /** In bytes, also after decompressing. */
  readonly most: number;
  readonly tooLarge: () => Failure;
}

/** The whole body of a client's request. */
export async function requestBody(request: ClientRequest, most: number): Promise<Uint8Array> {
  const tooLarge = () => new Failure(413, `the request is larger than ${most} bytes`);
  if (Number(request.headers.get("content-length")) > most) throw tooLarge();
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  const isPlain = encoding === "identity" || encoding === "";
  const read = isPlain && request.read ? request.read(most) : firstBytes(decompressed(request.body, encoding), most);
  const late = () => {
    throw new Failure(408, `the request's body took longer than ${BODY_MS / 1000} s`);
  };
  try {
    return within(await patiently(read, { ms: BODY_MS, late }), tooLarge);
  } catch (error) {
    if (error instanceof Failure || request.signal.aborted) throw error;
    throw new Failure(400, "the request's body can't be read");
  }
}

function decompressed(body: ReadableStream<Uint8Array> | null, encoding: string): typeof body {
  if (!body || encoding === "identity" || encoding === "") return body;
  const format = inflated.find((known) => known === encoding);
  if (format) return body.pipeThrough(new DecompressionStream(format) as TransformStream<Uint8Array, Uint8Array>);
  throw new Failure(415, `the content-encoding ${encoding} is not supported: send the body as it is`);
}

/** All bytes of a stream. */
export async function bytesOf(stream: ReadableStream<Uint8Array> | null, bounds: Bounds): Promise<Uint8Array> {
  return within(await firstBytes(stream, bounds.most), bounds.tooLarge);
}

function within({ bytes, isCut }: FirstBytes, tooLarge: Bounds["tooLarge"]): Uint8Array {
  if (isCut) throw tooLarge();
  return bytes;
}

/** The first bytes of a stream, which is cancelled if it has more. */
export async function firstBytes(stream: ReadableStream<Uint8Array> | null, most: number): Promise<FirstBytes> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = stream?.getReader();
  while (reader && size <= most) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  if (size > most) void reader?.cancel().catch(() => {});
  return { bytes: joined(pieces).subarray(0, most), isCut: size > most };
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
