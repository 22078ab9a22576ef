// The conversions of one exchange with simulated tools.

import { type Conversion, contextOf, convertError, prepareRequest, type StreamConverter } from "#conversions";
import { simulatedResponse } from "../../text/conversions.js";
import { likeBody, readingWith, simulated } from "../../text/stage.js";
import { SimulatedConverter } from "../../text/streams.js";
import type { Simulation } from "../../toolkit/send/simulation.js";
import { type Bytes, type Prepared, timed, wayBack } from "../conversion.js";

/** As `prepare`, with the simulation's prompt in place of the tools. */
export function prepareSimulated(body: Uint8Array, conversion: Conversion, simulation: Simulation): Prepared {
  const { request, reading } = simulated(body, simulation, conversion);
  const sent = likeBody(body, request) as Uint8Array;
  const passed = prepareRequest(sent, { ...conversion, from: "canonical" });
  const client = timed(contextOf(body, { ...conversion, onWarning: undefined, to: "canonical" }));
  const back = wayBack(conversion);
  const parts = readingWith(simulation, { reading, client, model: passed.context }, back);
  return {
    body: passed.body,
    path: passed.path,
    response: (body) => simulatedResponse(body, parts, back) as Bytes,
    stream: () => new SimulatedConverter(back, parts) as unknown as StreamConverter,
    error: (body, status) => convertError(body, { ...back, context: client, status }) as Bytes,
  };
}
