// Streams whose framing is not that of their format: events as items of a JSON array, or within AWS's binary messages.

import { chunkOf } from "../../http/binary-messages.js";
import { joined } from "../body.js";
import type { Endpoint } from "../endpoints.js";

/** Frames a stream of server-sent events anew. Pieces end with events. */
export interface Framing {
  readonly type: string;
  /** What clients skip between two events; empty if there is nothing like it. */
  readonly keepAlive: string;
  readonly frame: (events: Uint8Array) => Uint8Array;
  /** What follows the last event. */
  readonly end?: () => Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function framingOf(name: NonNullable<Endpoint["framing"]>): Framing {
  return name === "array" ? array() : chunks;
}

function array(): Framing {
  let items = 0;
  return {
    type: "application/json",
    keepAlive: "\n",
    frame: (events) =>
      encoder.encode(
        dataIn(events)
          .map((item) => `${items++ === 0 ? "[" : ",\r\n"}${item}`)
          .join(""),
      ),
    end: () => encoder.encode(items === 0 ? "[]" : "]"),
  };
}

const chunks: Framing = {
  type: "application/vnd.amazon.eventstream",
  keepAlive: "",
  frame: (events) => joined(dataIn(events).map(chunkOf)),
};

/** The data of each event. */
function dataIn(events: Uint8Array): string[] {
  const lines = decoder.decode(events).split(/\r?\n/);
  return lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
}
