// Measures the time of one run.

/** Milliseconds. */
const batch = 50;
const leastWarmUp = 250;
const mostWarmUp = 3000;
const measured = 200;
const sampleLength = 1.5;
/** The warm-up ends after this many batches without improvement. */
const settledAfter = 4;
const isBetter = (rate, best) => rate > best * 1.05;

/** The nanoseconds of one `run` (the median of many samples), after a warm-up. */
export function nanosecondsOf(run) {
  const perSample = Math.max(1, Math.round(warmUp(run) * sampleLength));
  const samples = [];
  const end = performance.now() + measured;
  while (performance.now() < end) {
    const start = performance.now();
    runTimes(run, perSample);
    samples.push((performance.now() - start) / perSample);
  }
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] * 1e6;
}

/** Runs until the engine's background optimisation is complete; returns the runs per millisecond. */
function warmUp(run) {
  const start = performance.now();
  let best = 0;
  let stale = 0;
  for (;;) {
    const batchStart = performance.now();
    let runs = 0;
    for (; performance.now() - batchStart < batch; runs++) runTimes(run, 1);
    const rate = runs / (performance.now() - batchStart);
    stale = isBetter(rate, best) ? 0 : stale + 1;
    best = Math.max(best, rate);
    const spent = performance.now() - start;
    if (spent > mostWarmUp || (spent > leastWarmUp && stale >= settledAfter)) return best;
  }
}

function runTimes(run, times) {
  // The result of a run is kept, so that no compiler can remove the run.
  let kept;
  for (let count = 0; count < times; count++) kept = run();
  if (kept === undefined) throw new Error("the run gave nothing");
}
