// Times one side of one comparison, alone in this process: node worker.mjs ours|hand SHAPE PAYLOAD
// Prints the nanoseconds of one conversion (the median of many samples).

import { payloads } from "./payloads.mjs";
import { byHand, ours, shapes } from "./sides.mjs";

const warmUp = 250;
const measured = 400;
const sampleLength = 1.5;

const [side, shape, name] = process.argv.slice(2);
const payload = payloads[name];
const input = shapes[shape].make(payload.make());
const convert = side === "ours" ? ours(await import("../pkg/dist/index.js"), payload) : byHand(payload, shape);

// What a run gives is kept, so that no compiler may leave it out.
let kept;
let runs = 0;
const warmUpEnd = performance.now() + warmUp;
const warmUpStart = performance.now();
while (performance.now() < warmUpEnd) {
  kept = convert(input);
  runs += 1;
}
const perSample = Math.max(1, Math.round((runs * sampleLength) / (performance.now() - warmUpStart)));

const samples = [];
const end = performance.now() + measured;
while (performance.now() < end) {
  const start = performance.now();
  for (let run = 0; run < perSample; run++) kept = convert(input);
  samples.push((performance.now() - start) / perSample);
}
if (kept === undefined) throw new Error("the conversion gave nothing");
samples.sort((a, b) => a - b);
process.stdout.write(String(samples[samples.length >> 1] * 1e6));
