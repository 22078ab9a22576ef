// `npm test`: runs all tests. `npm test -- lint package` runs only those groups of steps.
//
// The steps are in two lanes, which run at the same time: cargo compiles much of the time on one core. Each step is a process of its own,
// and its output is shown when it ends. Steps of one lane are shown as they run.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CommandFailed, main, root } from "./lib/run.mjs";
import { setUpNpm, setUpRust } from "./lib/setup.mjs";
import { steps } from "./steps.mjs";

const only = "--only";

await main(async () => {
  const given = process.argv.slice(2);
  if (given[0] === only) return runOnly(given[1]);
  const known = [...new Set(steps.map((step) => step.group))];
  const unknown = given.find((group) => !known.includes(group));
  if (unknown) throw new CommandFailed(`no steps are called ${unknown}; there are: ${known.join(", ")}`);

  await setUpNpm();
  setUpRust();
  const selected = steps.filter(({ group }) => given.length === 0 || given.includes(group));
  const names = [...new Set(selected.map(({ lane }) => lane))];
  const lanes = names.map((name) => selected.filter(({ lane }) => lane === name));
  const results = (await Promise.all(lanes.map((lane) => runInTurn(lane, lanes.length === 1)))).flat();
  console.log();
  for (const { name, passed, seconds } of results) {
    console.log(`${passed ? "passed" : "FAILED"}  ${seconds.padStart(6)} s  ${name}`);
  }
  const failed = results.filter((result) => !result.passed).length;
  console.log(`\nsteps: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** A failing step does not stop the others, so that one run shows all failures. */
async function runInTurn(lane, isShown) {
  const results = [];
  for (const { name } of lane) {
    const start = performance.now();
    const passed = await inProcess(name, isShown);
    results.push({ name, passed, seconds: ((performance.now() - start) / 1000).toFixed(1) });
  }
  return results;
}

/** Whether the step passed. */
async function inProcess(name, isShown) {
  const title = `\n── ${name} ──`;
  if (isShown) console.log(title);
  const stdio = isShown ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), only, name], { cwd: root, stdio });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => output.push(bytes));
  const status = await new Promise((ended) => child.on("error", ended).on("close", ended));
  if (!isShown) process.stdout.write(`${title}\n${Buffer.concat(output)}`);
  return status === 0;
}

async function runOnly(name) {
  await steps.find((step) => step.name === name).run();
}
