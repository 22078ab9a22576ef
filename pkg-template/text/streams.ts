// Streams with simulated tools.

import type {
  ChatResponse,
  Dialect,
  EventStream,
  Options,
  StreamConverter,
  StreamEvent,
  StreamReader,
  Warning,
} from "#conversions";
import * as base from "#conversions";
import { type Ends, eventStream } from "../core/event-stream.js";
import type { SimulatedEvents, SimulationOption } from "./simulation.js";
import { type ReadingOfResponse, readingOf, splitOptions, type TextConversion } from "./stage.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** As `convertStream` of `toolwire`. With `simulateTools`, calls are read from the response's text as it arrives. */
export function convertStream(conversion: TextConversion): StreamConverter {
  const reading = readingOf(conversion);
  const { options } = splitOptions(conversion);
  if (!reading) return base.convertStream(options);
  return new SimulatedConverter(options, reading) as unknown as StreamConverter;
}

/** As `readStream` of `toolwire`, with the option `simulateTools`. */
export function readStream(options: Options & SimulationOption & { from: Dialect }): StreamReader {
  const reading = readingOf(options);
  const { options: plain } = splitOptions(options);
  if (!reading) return base.readStream(plain);
  return new SimulatedReader(plain, reading) as unknown as StreamReader;
}

/** As `streamEvents` of `toolwire`, with the option `simulateTools`. */
export function streamEvents(
  source: AsyncIterable<unknown> | ReadableStream<Uint8Array>,
  options: Options & SimulationOption & { from: Dialect },
): EventStream {
  const reading = readingOf(options);
  const { options: plain } = splitOptions(options);
  if (!reading) return base.streamEvents(source, plain);
  const events = base.streamEvents(source, { ...plain, context: reading.model });
  return eventStream<StreamEvent, ChatResponse>((ends) => rewritten(events, reading, ends), leftEarly);
}

const leftEarly = () =>
  new base.ToolwireError("stream_failed", "the events were not read to their end, so there is no whole response", "");

async function* rewritten(
  source: EventStream,
  reading: ReadingOfResponse,
  ends: Ends<ChatResponse>,
): AsyncGenerator<StreamEvent, ChatResponse, undefined> {
  const events = reading.events();
  try {
    for (;;) {
      const next = await source.next();
      if (next.done) {
        yield* events.end();
        const response = reading.responseOfStream(next.value);
        ends.resolve(response);
        return response;
      }
      yield* events.push(next.value);
    }
  } catch (error) {
    ends.reject(error);
    throw error;
  } finally {
    await source.return(undefined as never);
  }
}

class SimulatedReader {
  readonly #reader: StreamReader;
  readonly #reading: ReadingOfResponse;
  readonly #events: SimulatedEvents;

  constructor(options: Options & { from: Dialect }, reading: ReadingOfResponse) {
    this.#reader = base.readStream({ ...options, context: reading.model });
    this.#reading = reading;
    this.#events = reading.events();
  }

  push(chunk: Uint8Array | string | object): StreamEvent[] {
    return this.#reader.push(chunk).flatMap((event) => this.#events.push(event));
  }

  end(): StreamEvent[] {
    const events = this.#reader.end().flatMap((event) => this.#events.push(event));
    return [...events, ...this.#events.end()];
  }

  finish(): ChatResponse {
    return this.#reading.responseOfStream(this.#reader.finish());
  }

  free(): void {
    this.#reader.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** Reasoning in a model's text has an issuer, as in whole responses: clients of other formats see it only if they ask for reasoning. */
function issued(event: StreamEvent): StreamEvent {
  if (event.type !== "reasoningDelta" && event.type !== "reasoningEnd") return event;
  return { issuer: "openai", ...event } as StreamEvent;
}

/** A {@link StreamConverter} that reads the calls in the text of a stream. */
export class SimulatedConverter {
  readonly #source: StreamConverter;
  readonly #target: StreamConverter;
  readonly #events: SimulatedEvents;
  readonly #decoder = new TextDecoder();
  readonly #own: Warning[] = [];
  readonly #isCanonical: boolean;
  #warnings: Warning[] | undefined;
  #isPiped = false;

  constructor({ from, to, ...options }: TextConversion, reading: ReadingOfResponse) {
    this.#isCanonical = to === "canonical";
    this.#source = base.convertStream({ ...options, from, to: "canonical", context: reading.model });
    this.#target = base.convertStream({ ...options, from: "canonical", to, context: reading.client });
    this.#events = reading.events((warning) => {
      this.#own.push(warning);
      reading.warn(warning);
    });
  }

  push(chunk: Uint8Array): Uint8Array {
    return this.#target.push(framed(this.#rewritten(this.#source.push(chunk))));
  }

  finish(): Uint8Array {
    const events = [...this.#rewritten(this.#source.finish()), ...this.#events.end().map(issued)];
    const last = events.length > 0 ? this.#target.push(framed(events)) : NOTHING;
    return concatenated(last.slice(), this.#target.finish());
  }

  /** The events in a piece of the canonical stream. Pieces end at event boundaries. */
  #rewritten(piece: Uint8Array): StreamEvent[] {
    const lines = this.#decoder.decode(piece, { stream: true }).split("\n");
    const events = lines.filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)));
    return events.flatMap((event: StreamEvent) => this.#rewrittenEvent(event)).map(issued);
  }

  /** A call that is open when the response fails does not end: clients of formats that have each call in one piece would run what arrived of it. */
  #rewrittenEvent(event: StreamEvent): StreamEvent[] {
    const events = this.#events.push(event);
    if (event.type !== "error" || this.#isCanonical) return events;
    return events.filter(({ type }) => type !== "toolCallEnd");
  }

  transform(): TransformStream<Uint8Array, Uint8Array> {
    if (this.#isPiped) throw new base.ToolwireError("stream_failed", "this converter is already used as a pipe", "");
    this.push(NOTHING);
    this.#isPiped = true;
    const give = (controller: TransformStreamDefaultController<Uint8Array>, bytes: Uint8Array) => {
      if (bytes.length > 0) controller.enqueue(bytes);
    };
    const orFree = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        this.free();
        throw error;
      }
    };
    return new TransformStream({
      transform: (chunk, controller) =>
        orFree(() => {
          give(controller, this.push(chunk));
          // throws an error that was deferred until the preceding output was returned
          this.push(NOTHING);
        }),
      flush: (controller) =>
        orFree(() => {
          give(controller, this.finish());
          this.finish();
          this.free();
        }),
      cancel: () => this.free(),
    } as Transformer<Uint8Array, Uint8Array>);
  }

  get warnings(): Warning[] {
    return this.#warnings ?? [...this.#source.warnings, ...this.#own, ...this.#target.warnings];
  }

  /** Warnings stay available. */
  free(): void {
    this.#warnings ??= this.warnings;
    this.#source.free();
    this.#target.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

const framed = (events: StreamEvent[]) =>
  encoder.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
