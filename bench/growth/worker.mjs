// Times one pair of dialects at growing sizes, alone in this process: node worker.mjs FROM TO [odd]
// Prints { case: [[size, nanoseconds], …] } as JSON.

import { convertRequest, convertResponse, convertStream } from "../../pkg/dist/index.js";
import { slope } from "../numbers.mjs";
import { cases } from "./bodies.mjs";
import { steepest } from "./steepest.mjs";
import { streams } from "./streams.mjs";

const [from, to, withOdd] = process.argv.slice(2);
const encoder = new TextEncoder();
const least = { runs: 5, milliseconds: 20 };
// What takes that long is not run again.
const longest = 300;
const attempts = 3;
const interrupted = 3;
/** The system counts in steps of some milliseconds. */
const enough = 100;

const measured = {};
warmUp();
for (const [name, part] of Object.entries({ ...cases, ...streams })) {
  if (!isMeasured(part)) continue;
  measured[name] = settled(part.sizes.map((size) => [size, runOf(name, part, size)]));
}
process.stdout.write(JSON.stringify(measured));

/** Odd bodies exist as OpenAI's alone: on the way to another source they would be put in order. */
function isMeasured({ isEverywhere, isFromAll }) {
  return isEverywhere || (withOdd === "odd" && (from === "openai" || isFromAll));
}

/** What else runs on the machine makes a run longer only: what looks steep is measured again, and the shortest run counts. */
function settled(runs) {
  const points = runs.map(([size]) => [size, Infinity]);
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const [index, [, run]] of runs.entries()) points[index][1] = Math.min(points[index][1], nanosecondsOf(run));
    if (slope(points.slice(1)) <= steepest || points.at(-1)[1] > longest * 1e6) break;
  }
  return points;
}

/** So that what is measured first is not measured in code that is not optimised yet. */
function warmUp() {
  const [name, part] = Object.entries(cases)[0];
  const run = runOf(name, part, 100);
  const end = performance.now() + 300;
  while (performance.now() < end) run();
}

function runOf(name, part, size) {
  if (Object.hasOwn(streams, name)) return streamRun(part.make(size));
  const convert = part.kind === "response" ? convertResponse : convertRequest;
  const text = part.text?.(size) ?? JSON.stringify(part.make(size));
  const body = encoder.encode(from === "openai" ? text : convert(text, { from: "openai", to: from }));
  const context = part.context?.(size);
  return () => convert(body, { from, to, context });
}

function streamRun(openai) {
  const pieces = from === "openai" ? openai : convertedPieces(openai);
  return () => pass(convertStream({ from, to }), pieces);
}

function convertedPieces(openai) {
  const converter = convertStream({ from: "openai", to: from });
  const pieces = [...openai.map((piece) => converter.push(piece)), converter.finish()];
  return pieces.filter((piece) => piece.length > 0);
}

function pass(converter, pieces) {
  for (const piece of pieces) converter.push(piece);
  converter.finish();
  converter.free();
}

function nanosecondsOf(run) {
  let shortest = Infinity;
  const end = performance.now() + least.milliseconds;
  for (let runs = 0; runs < least.runs || performance.now() < end; runs++) {
    const start = performance.now();
    run();
    shortest = Math.min(shortest, performance.now() - start);
    if (shortest > longest) break;
  }
  return (shortest > interrupted ? Math.min(shortest, processorTime(run)) : shortest) * 1e6;
}

/** What takes longer than a few milliseconds is interrupted by what else runs: then the time on the processor says more. */
function processorTime(run) {
  const start = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    run();
    const { user, system } = process.cpuUsage(start);
    const spent = (user + system) / 1000;
    if (spent > enough) return spent / runs;
  }
}
