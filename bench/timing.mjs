// How long one run of something takes.

const warmUp = 250;
const measured = 400;
const sampleLength = 1.5;

/** The nanoseconds of one `run` (the median of many samples), after a warm-up. */
export function nanosecondsOf(run) {
  // What a run gives is kept, so that no compiler may leave it out.
  let kept;
  let runs = 0;
  const warmUpEnd = performance.now() + warmUp;
  const warmUpStart = performance.now();
  while (performance.now() < warmUpEnd) {
    kept = run();
    runs += 1;
  }
  const perSample = Math.max(1, Math.round((runs * sampleLength) / (performance.now() - warmUpStart)));

  const samples = [];
  const end = performance.now() + measured;
  while (performance.now() < end) {
    const start = performance.now();
    for (let count = 0; count < perSample; count++) kept = run();
    samples.push((performance.now() - start) / perSample);
  }
  if (kept === undefined) throw new Error("the run gave nothing");
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] * 1e6;
}
