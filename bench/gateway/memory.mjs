// The memory of the gateway while few clients send requests for minutes: whole and streamed ones, of both formats.

import { once } from "node:events";
import { bodyOf, drive } from "./drive.mjs";
import { ports } from "./sides.mjs";

const CLIENTS = 4;
/** Seconds of a part of the load. */
const PART = 5;
const MB = 2 ** 20;

const kinds = [
  ["/v1/chat/completions", 2_000, false],
  ["/v1/messages", 2_000, true],
  ["/v1/chat/completions", 2_000, true],
  ["/v1/messages", 160_000, false],
];

/** Memory after a collection. */
async function measured(gateway) {
  gateway.send("measure");
  const [usage] = await once(gateway, "message");
  return usage;
}

const inMB = (bytes) => (bytes / MB).toFixed(1);

/** Prints a row for each minute. The memory of wasm is part of what is outside of the heap. */
export async function memory(gateway, minutes) {
  console.log("| minute | requests | resident MB | heap MB | outside of the heap MB |\n|---|---|---|---|---|");
  let count = 0;
  const show = async (minute) => {
    const { rss, heapUsed, external } = await measured(gateway);
    console.log(`| ${minute} | ${count} | ${inMB(rss)} | ${inMB(heapUsed)} | ${inMB(external)} |`);
  };
  await show(0);
  for (let part = 1; part <= (minutes * 60) / PART; part++) {
    const [path, size, stream] = kinds[part % kinds.length];
    const url = `http://127.0.0.1:${ports.toolwire}${path}`;
    const done = await drive({ url }, bodyOf(size, stream, path === "/v1/messages"), CLIENTS, PART);
    count += done.count;
    if ((part * PART) % 60 === 0) await show((part * PART) / 60);
  }
}
