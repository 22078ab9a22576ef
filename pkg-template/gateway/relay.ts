// Delivers a stream: each piece of the upstream's is converted when the client asks for more.

import type { Dialect, StreamConverter } from "#conversions";
import type { Sink, Source } from "./direct.js";
import { Failure } from "./failure.js";
import type { Secrets } from "./keys.js";
import type { Framing } from "./more/framing.js";
import { plainError } from "./plain-errors.js";

/** How long a stream is silent before a keep-alive is sent, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;
const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

/** What clients skip between two events. Lines of JSON and binary messages have nothing like it. */
const keepAlives: { readonly [dialect in Dialect]?: string } = {
  anthropic: 'event: ping\ndata: {"type": "ping"}\n\n',
  bedrock: "",
  ollama: "",
};
const COMMENT = ": keep-alive\n\n";

export interface RelayOptions {
  readonly converter: StreamConverter;
  /** The client's format. */
  readonly dialect: Dialect;
  /** In what the client gets the events, if not in the framing of the format. */
  readonly framing: Framing | undefined;
  /** How long the upstream may pause, in milliseconds. */
  readonly idleMs: number;
  /** The size of what the upstream may send, in bytes. */
  readonly mostBytes: number;
  readonly secrets: Secrets;
  /** Ends the upstream's request. */
  readonly stop: (reason: unknown) => void;
  readonly onPiece?: (stage: "returned" | "delivered", piece: Uint8Array) => void;
  /** Called once, when the upstream's stream has ended. */
  readonly onClosed: () => void;
  /** Called once, when the client's stream has ended. `error`: why it ended early. */
  readonly onEnd: (error: unknown) => void;
}

type Piece = { done: boolean; value?: Uint8Array | undefined };

export class Relay {
  readonly #options: RelayOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #keepAlive: Uint8Array;
  /** Pieces that were converted before the client's stream began. */
  #ready: Uint8Array[] = [];
  #reading: Promise<Piece> | undefined;
  #controller: Sink | undefined;
  #timer: unknown;
  #isWaiting = false;
  #lastPiece = Date.now();
  #lastOutput = Date.now();
  #size = 0;
  #hasEnded = false;
  #error: unknown;

  constructor(body: ReadableStream<Uint8Array>, options: RelayOptions) {
    this.#options = options;
    this.#reader = body.getReader();
    const { framing, dialect } = options;
    this.#keepAlive = encoder.encode(framing?.keepAlive ?? keepAlives[dialect] ?? COMMENT);
  }

  /**
   * Waits for the first output, as long as the client needs no keep-alive. What it throws happened before the first byte.
   */
  async begin(): Promise<void> {
    let timer: unknown;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, KEEP_ALIVE_MS);
    });
    try {
      while (this.#ready.length === 0 && !this.#hasEnded) {
        const piece = await Promise.race([this.#next(), late]);
        if (!piece) return;
        this.#take(piece);
      }
    } catch (error) {
      this.#end(error);
      throw error;
    } finally {
      clearTimeout(timer as number);
    }
  }

  /** The rest of the stream. */
  source(): Source {
    const tick = Math.max(Math.min(1000, this.#options.idleMs / 4), 10);
    if (!this.#hasEnded) this.#timer = setInterval(() => this.#tick(), tick);
    (this.#timer as { unref?(): void } | undefined)?.unref?.();
    return {
      start: (controller) => {
        this.#controller = controller;
      },
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => {
        this.#controller = undefined;
        this.#options.stop(reason);
        this.#end(new Failure(499, "the client went away"));
        this.#options.onEnd(this.#error);
      },
    };
  }

  async #pull(controller: Sink): Promise<void> {
    this.#isWaiting = true;
    try {
      while (this.#ready.length === 0 && !this.#hasEnded) this.#take(await this.#next());
    } catch (error) {
      this.breakOff(error);
    } finally {
      this.#isWaiting = false;
    }
    // the client went away in the meantime
    if (!this.#controller) return;
    for (const piece of this.#ready.splice(0)) controller.enqueue(piece);
    if (!this.#hasEnded) return;
    this.#controller = undefined;
    controller.close();
    this.#options.onEnd(this.#error);
  }

  /** The upstream's next piece. A promise that lost a race is used again. */
  #next(): Promise<Piece> {
    this.#reading ??= this.#reader.read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  #take({ done, value = NOTHING }: Piece): void {
    // the client went away in the meantime
    if (this.#hasEnded) return;
    this.#lastPiece = Date.now();
    const { converter, mostBytes, onPiece } = this.#options;
    if (done) {
      this.#finish();
      return;
    }
    onPiece?.("returned", value);
    this.#size += value.length;
    if (this.#size > mostBytes) throw new Failure(502, `the stream is larger than ${mostBytes} bytes`);
    this.#give(converter.push(value));
  }

  #finish(): void {
    const { converter } = this.#options;
    this.#give(converter.finish());
    // throws an error that was deferred until the preceding output was returned
    converter.finish();
    this.#endFraming();
    this.#end();
  }

  /** Ends the client's stream as one that was cut off: with an error of its format. */
  breakOff(error: unknown): void {
    if (this.#hasEnded) return;
    this.#options.stop(error);
    try {
      this.#give(this.#options.converter.finish());
    } catch {
      // the converter has stated the error already
    }
    this.#endFraming();
    this.#end(error);
  }

  #give(output: Uint8Array): void {
    const { secrets, framing, dialect } = this.#options;
    const shown = secrets.hiddenInError(output);
    this.#send(framing?.frame(shown) ?? shown);
    const error = framing ? undefined : plainError(dialect, shown);
    if (error) this.#send(encoder.encode(error));
  }

  #send(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#ready.push(piece);
    this.#lastOutput = Date.now();
    this.#options.onPiece?.("delivered", piece);
  }

  #endFraming(): void {
    const last = this.#options.framing?.end?.();
    if (last) this.#ready.push(last);
  }

  /** Sends keep-alives, and ends the stream of an upstream that pauses too long. */
  #tick(): void {
    if (!this.#isWaiting) return;
    const now = Date.now();
    const { idleMs } = this.#options;
    if (now - this.#lastPiece > idleMs) {
      this.breakOff(new Failure(504, `the upstream sent nothing for ${idleMs / 1000} s`));
      return;
    }
    if (now - this.#lastOutput < KEEP_ALIVE_MS || this.#keepAlive.length === 0) return;
    this.#lastOutput = now;
    this.#controller?.enqueue(this.#keepAlive);
  }

  #end(error?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#timer as number);
    void this.#reader.cancel().catch(() => {});
    this.#error = error;
    this.#options.converter.free();
    this.#options.onClosed();
  }
}
