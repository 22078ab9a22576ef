// Measures one side of one task, alone in its process: `node worker.mjs SIDE TASK` prints the nanoseconds of one run.

import { tasks } from "./sides.mjs";

const [side, task] = process.argv.slice(2);
const run = await tasks[task][side]();
/** Milliseconds. */
const [warmUp, measured] = [600, 600];
const perSample = 20;

async function sample() {
  const start = performance.now();
  for (let count = 0; count < perSample; count++) {
    const given = run();
    if (given instanceof Promise) await given;
  }
  return (performance.now() - start) / perSample;
}

for (const end = performance.now() + warmUp; performance.now() < end; ) await sample();
const samples = [];
for (const end = performance.now() + measured; performance.now() < end; ) samples.push(await sample());
samples.sort((a, b) => a - b);
console.log(samples[samples.length >> 1] * 1e6);
