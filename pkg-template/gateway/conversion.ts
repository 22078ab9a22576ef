// The conversions of one exchange. Those with simulated tools are in more/simulated.ts.

import {
  type Conversion,
  type ConversionContext,
  convertError,
  convertResponse,
  convertStream,
  prepareRequest,
  type StreamConverter,
} from "#conversions";

export type Bytes = Uint8Array<ArrayBuffer>;

/** What is sent, and how its response is converted back. */
export interface Prepared {
  readonly body: Bytes;
  /** Below the base URL. */
  readonly path: string;
  response(body: Uint8Array): Bytes;
  stream(): StreamConverter;
  error(body: Uint8Array, status: number): Bytes;
}

/** Converts a request. */
export function prepare(body: Uint8Array, conversion: Conversion): Prepared {
  const passed = prepareRequest(body, conversion);
  const back: Conversion = { ...wayBack(conversion), context: timed(passed.context) };
  return {
    body: passed.body,
    path: passed.path,
    response: (body) => convertResponse(body, back),
    stream: () => convertStream(back),
    error: (body, status) => convertError(body, { ...back, status }) as Bytes,
  };
}

/** The context with the time, which some formats state in responses, and which a conversion does not know. */
export const timed = (context: ConversionContext): ConversionContext => ({
  ...context,
  time: Math.floor(Date.now() / 1000),
});

/** The conversion of responses. The model and the stream are those of the request only. */
export function wayBack({ from, to, model: _, stream: __, ...options }: Conversion): Conversion {
  return { idSeed: crypto.randomUUID(), ...options, from: to, to: from };
}
