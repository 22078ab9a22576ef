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
// Longer runs, in milliseconds, are not repeated.
const longest = 300;
const attempts = 3;
const interrupted = 3;
/** The system's clock of processor time has steps of some milliseconds. */
const enough = 100;

const measured = {};
warmUp();
for (const [name, part] of Object.entries({ ...cases, ...streams })) {
  if (!isMeasured(part)) continue;
  measured[name] = settled(part.sizes.map((size) => [size, runOf(name, part, size)]));
}
process.stdout.write(JSON.stringify(measured));

/** Odd bodies exist in OpenAI's format only: converting them to another source would normalize them. */
function isMeasured({ isEverywhere, isFromAll }) {
  return isEverywhere || (withOdd === "odd" && (from === "openai" || isFromAll));
}

/** Other processes can only make a run longer. If the growth seems steep, it is measured again, and the shortest run counts. */
function settled(runs) {
  const points = runs.map(([size]) => [size, Infinity]);
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const [index, [, run]] of runs.entries()) points[index][1] = Math.min(points[index][1], nanosecondsOf(run));
    if (slope(points.slice(1)) <= steepest || points.at(-1)[1] > longest * 1e6) break;
  }
  return points;
}

/** Without a warm-up, the first measurement would include code that is not optimised yet. */
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

/** Runs of more than a few milliseconds are interrupted by other processes, so the processor time is more accurate. */
function processorTime(run) {
  const start = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    run();
    const { user, system } = process.cpuUsage(start);
    const spent = (user + system) / 1000;
    if (spent > enough) return spent / runs;
  }
}
