// Measures the readers in one process, alternately: `node worker.mjs FORMAT CALLS SIZE` reads 1 MB with that many calls, in pieces of that
// many characters (0: whole). Prints the milliseconds of each side, the ratio of the first to the second, and the time of the platform's
// streams alone for the same pieces, because the second side is such a stream.

import { median } from "../numbers.mjs";
import { piecesOf } from "./correctness.mjs";
import { textOfCalls, tools } from "./payloads.mjs";
import { sides, throughStream } from "./sides.mjs";

const [format, calls, size] = [process.argv[2], ...process.argv.slice(3).map(Number)];
/** Milliseconds. */
const [warmUp, measured] = [1500, 5000];
const leastRounds = 5;

const text = textOfCalls(format, calls);
const pieces = size > 0 ? piecesOf(text, size) : [];
const given = { format, tools };
const read = (side) => (size > 0 ? side.inPieces(pieces, given) : side.whole(text, given));
const all = Object.entries(await sides()).map(([name, side]) => ({ name, run: () => read(side), times: [] }));
for (const { name, run } of all) {
  const found = (await run()).calls.length;
  if (found !== calls) throw new Error(`${name} reads ${found} calls, not ${calls}`);
}

for (const end = performance.now() + warmUp; performance.now() < end; ) await round();
for (const { times } of all) times.length = 0;
const streams = [];
const start = performance.now();
while (performance.now() - start < measured || streams.length < leastRounds) {
  await round();
  streams.push(await timeOf(() => throughStream(pieces, new TransformStream())));
}
const [mine, theirs] = all.map(({ times }) => times);
console.log(
  JSON.stringify({
    mine: median(mine),
    theirs: median(theirs),
    ratio: median(mine.map((time, index) => time / theirs[index])),
    streams: size > 0 ? median(streams) : undefined,
  }),
);

async function round() {
  for (const { run, times } of all) times.push(await timeOf(run));
}

async function timeOf(run) {
  const start = performance.now();
  // a text may be made of its parts when it is first used
  (await run())?.text?.charCodeAt(0);
  return performance.now() - start;
}
