// The conversions of one exchange, with or without simulated tools.

import {
  type Conversion,
  type ConversionContext,
  contextOf,
  convertError,
  convertResponse,
  convertStream,
  prepareRequest,
  type StreamConverter,
} from "#conversions";
import { withoutModelText } from "../http/model-in-path.js";
import { simulatedResponse } from "../text/conversions.js";
import { likeBody, readingWith, simulated } from "../text/stage.js";
import { SimulatedConverter } from "../text/streams.js";
import type { Simulation } from "../toolkit/send/simulation.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** What is sent, and how its response is converted back. */
export interface Prepared {
  readonly body: Bytes;
  /** Below the base URL. */
  readonly path: string;
  response(body: Uint8Array): Bytes;
  stream(): StreamConverter;
  error(body: Uint8Array, status: number): Bytes;
}

/** Converts a request. Tools are simulated if there is a simulation. */
export function prepare(body: Uint8Array, conversion: Conversion, simulation?: Simulation): Prepared {
  return simulation ? prepareSimulated(body, conversion, simulation) : prepareNative(body, conversion);
}

function prepareNative(body: Uint8Array, conversion: Conversion): Prepared {
  const passed = prepareRequest(body, conversion);
  const back: Conversion = { ...wayBack(conversion), context: timed(passed.context) };
  return {
    body: withoutModelText(passed.body, conversion.to),
    path: passed.path,
    response: (body) => convertResponse(body, back),
    stream: () => convertStream(back),
    error: (body, status) => convertError(body, { ...back, status }) as Bytes,
  };
}

function prepareSimulated(body: Uint8Array, conversion: Conversion, simulation: Simulation): Prepared {
  const { request, reading } = simulated(body, simulation, conversion);
  const sent = likeBody(body, request) as Uint8Array;
  const passed = prepareRequest(sent, { ...conversion, from: "canonical" });
  const client = timed(contextOf(body, { ...conversion, onWarning: undefined, to: "canonical" }));
  const back = wayBack(conversion);
  const parts = readingWith(simulation, { reading, client, model: passed.context }, back);
  return {
    body: withoutModelText(passed.body, conversion.to),
    path: passed.path,
    response: (body) => simulatedResponse(body, parts, back) as Bytes,
    stream: () => new SimulatedConverter(back, parts) as unknown as StreamConverter,
    error: (body, status) => convertError(body, { ...back, context: client, status }) as Bytes,
  };
}

/** The context with the time, which some formats state in responses, and which a conversion does not know. */
const timed = (context: ConversionContext): ConversionContext => ({ ...context, time: Math.floor(Date.now() / 1000) });

/** The conversion of responses. The model and the stream are those of the request only. */
function wayBack({ from, to, model: _, stream: __, ...options }: Conversion): Conversion {
  return { idSeed: crypto.randomUUID(), ...options, from: to, to: from };
}
