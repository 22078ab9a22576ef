// `npm test`: runs all tests. `npm test -- lint package` runs only those groups of steps.

import { CommandFailed, main } from "./lib/run.mjs";
import { setUpNpm, setUpRust } from "./lib/setup.mjs";
import { steps } from "./steps.mjs";

await main(async () => {
  const groups = process.argv.slice(2);
  const known = [...new Set(steps.map((step) => step.group))];
  const unknown = groups.find((group) => !known.includes(group));
  if (unknown) throw new CommandFailed(`no steps are called ${unknown}; there are: ${known.join(", ")}`);

  await setUpNpm();
  setUpRust();
  const results = [];
  for (const step of steps) {
    if (groups.length === 0 || groups.includes(step.group)) results.push({ name: step.name, ...(await attempt(step)) });
  }
  console.log();
  for (const { name, passed, seconds } of results) {
    console.log(`${passed ? "passed" : "FAILED"}  ${seconds.padStart(6)} s  ${name}`);
  }
  const failed = results.filter((result) => !result.passed).length;
  console.log(`\nsteps: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** A failing step does not stop the others, so that one run shows all failures. */
async function attempt({ name, run }) {
  console.log(`\n── ${name} ──`);
  const start = performance.now();
  let passed = true;
  try {
    await run();
  } catch (error) {
    console.error(error instanceof CommandFailed ? `error: ${error.message}` : error);
    passed = false;
  }
  return { passed, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}
