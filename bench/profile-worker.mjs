// The time of one conversion by function, from V8's profiler: node profile-worker.mjs NAMED_WASM SHAPE PAYLOAD, or NAMED_WASM stream PAIR
// LANGUAGE READS
// Prints [[function, share of the time], …] as JSON. The wasm has the names of its functions.

import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import * as toolwire from "../pkg/dist/slim.js";
import { payloads, sizes } from "./payloads.mjs";
import { ours, shapes } from "./sides.mjs";
import { eventsOf, piecesOf, reads } from "./streams/responses.mjs";
import { pairs, runStream, sideOf } from "./streams/sides.mjs";
import { nanosecondsOf } from "./timing.mjs";

/** Microseconds. */
const interval = 100;
const milliseconds = 2000;

const [wasm, shape, ...what] = process.argv.slice(2);
toolwire.useModule(new WebAssembly.Module(readFileSync(wasm)));
const run = shape === "stream" ? streamOf(...what) : bodyOf(...what);
nanosecondsOf(run);

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval });
await session.post("Profiler.start");
for (const end = performance.now() + milliseconds; performance.now() < end; ) run();
const { profile } = await session.post("Profiler.stop");

const functions = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.functionName || "(anonymous)"]));
const spent = new Map();
for (const [index, id] of profile.samples.entries()) {
  const known = functions.get(id);
  spent.set(known, (spent.get(known) ?? 0) + profile.timeDeltas[index]);
}
const all = [...spent.values()].reduce((sum, time) => sum + time, 0);
process.stdout.write(
  JSON.stringify([...spent].sort((a, b) => b[1] - a[1]).map(([known, time]) => [known, time / all])),
);

function bodyOf(name) {
  const payload = { ...payloads, ...sizes }[name];
  const input = shapes[shape].make(payload.make());
  const convert = ours(toolwire, payload);
  return () => convert(input);
}

function streamOf(pair, language, size) {
  const pieces = piecesOf(eventsOf(pairs[pair].from, language), reads[size]);
  const make = sideOf("ours", pair, toolwire);
  return () => runStream(make, pieces);
}
