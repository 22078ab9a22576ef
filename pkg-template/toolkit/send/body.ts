// Reads the bodies of responses within bounds.

import { onAbort } from "../signals.js";
import { HttpFailure } from "./retry.js";

export const DEFAULT_MAX_RESPONSE_BYTES = 32 * 2 ** 20;
export const DEFAULT_MAX_EVENT_BYTES = 4 * 2 ** 20;
/** An error says in its first bytes what is wrong. */
const MAX_ERROR_BYTES = 64 * 1024;

/** In bytes. */
export interface BodyBounds {
  readonly maxResponseBytes: number;
  readonly maxEventBytes: number;
}

/** @throws HttpFailure if the connection breaks, or if the body is larger than `maxResponseBytes` */
export async function readText(response: Response, bounds: BodyBounds, signal: AbortSignal): Promise<string> {
  const { pieces, size } = await readUpTo(response, bounds.maxResponseBytes, signal);
  if (size > bounds.maxResponseBytes) throw tooLarge("response", "maxResponseBytes", bounds.maxResponseBytes);
  return textOf(pieces, size);
}

/** The start of the body of an error. */
export async function readErrorText(response: Response, signal: AbortSignal): Promise<string> {
  const { pieces, size } = await readUpTo(response, MAX_ERROR_BYTES, signal);
  return textOf(pieces, Math.min(size, MAX_ERROR_BYTES));
}

interface FirstBytes {
  pieces: Uint8Array[];
  /** Larger than the limit if the body is. */
  size: number;
}

async function readUpTo(response: Response, most: number, signal: AbortSignal): Promise<FirstBytes> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(response, signal)) {
    pieces.push(piece);
    size += piece.length;
    if (size > most) break;
  }
  return { pieces, size };
}

function textOf(pieces: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, bytes.length - at), at);
    at += piece.length;
  }
  return new TextDecoder().decode(bytes);
}

/**
 * The pieces of the body of a stream.
 *
 * @throws HttpFailure if the connection breaks, or if the body or one of its events is larger than its bound
 */
export async function* boundedPieces(
  response: Response,
  { maxResponseBytes, maxEventBytes }: BodyBounds,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const type = response.headers.get("content-type") ?? "";
  const event = /amazon\.eventstream/i.test(type) ? undefined : new EventSize(/event-stream/i.test(type));
  let size = 0;
  for await (const piece of piecesOf(response, signal)) {
    size += piece.length;
    if (size > maxResponseBytes) throw tooLarge("response", "maxResponseBytes", maxResponseBytes);
    if (event && event.after(piece) > maxEventBytes) throw tooLarge("event", "maxEventBytes", maxEventBytes);
    yield piece;
  }
}

/** The size of the largest part of a text stream that is not a complete event. */
class EventSize {
  /** Events of server-sent events end with an empty line, those of other streams with each line. */
  readonly #endsWithEmptyLine: boolean;
  #size = 0;
  #isEmptyLine = true;

  constructor(endsWithEmptyLine: boolean) {
    this.#endsWithEmptyLine = endsWithEmptyLine;
  }

  after(piece: Uint8Array): number {
    let largest = 0;
    for (const byte of piece) {
      this.#size++;
      if (byte === 10) {
        if (this.#size > largest) largest = this.#size;
        if (this.#isEmptyLine || !this.#endsWithEmptyLine) this.#size = 0;
        this.#isEmptyLine = true;
      } else if (byte !== 13) this.#isEmptyLine = false;
    }
    return Math.max(largest, this.#size);
  }
}

async function* piecesOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const cancel = () => void reader.cancel().catch(() => {});
  // a body of a `fetch` of the caller's may ignore the signal
  const forget = onAbort(signal, cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof HttpFailure ? cause : brokenOff(cause);
  } finally {
    forget();
    cancel();
  }
}

export function brokenOff(cause: unknown): HttpFailure {
  const message = "the connection broke off before the response was complete";
  return new HttpFailure({ code: "connection_failed", message, retryable: true }, { cause });
}

function tooLarge(what: string, option: string, most: number): HttpFailure {
  const message = `the ${what} is larger than ${most} bytes`;
  const hint = `The ${what} is larger than ${option} (${most} bytes) allows: raise it.`;
  return new HttpFailure({ code: "response_too_large", message, retryable: false }, { hint });
}
