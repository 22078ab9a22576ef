// `npm test`: runs all tests. `npm test -- lint package` runs only those groups of steps.
//
// All tests run several steps at the same time, one more than there are cores, because many wait for a server or a browser. Each step is a
// process of its own, and its output is shown when it ends. The steps of selected groups run one after the other, and are shown as they run.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
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
  const results = await runAll(withNeeds(given), given.length === 0 ? availableParallelism() + 1 : 1);
  console.log();
  for (const { name, passed, seconds } of results) {
    console.log(`${passed ? "passed" : "FAILED"}  ${seconds.toFixed(1).padStart(6)} s  ${name}`);
  }
  const failed = results.filter((result) => !result.passed).length;
  console.log(`\nsteps: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** The steps of the groups, or all steps, and those that they need. */
function withNeeds(groups) {
  const selected = steps.filter(({ group }) => groups.length === 0 || groups.includes(group));
  return steps.filter((step) => selected.some(({ name, needs }) => [name, needs].includes(step.name)));
}

/** Runs each step after the one that it needs. A failing step does not stop the others, so that one run shows all failures. */
async function runAll(all, atOnce) {
  const waiting = [...all];
  const running = new Map();
  const results = [];
  const isReady = ({ needs, folder }) =>
    ![...waiting, ...running.keys()].some(({ name }) => name === needs) &&
    (folder === undefined || ![...running.keys()].some((step) => step.folder === folder));
  while (waiting.length + running.size > 0) {
    const index = running.size < atOnce ? waiting.findIndex(isReady) : -1;
    if (index < 0) {
      await Promise.race(running.values());
      continue;
    }
    const [step] = waiting.splice(index, 1);
    const isMissing = results.some(({ name, passed }) => name === step.needs && !passed);
    const ended = isMissing ? withoutNeeds(step) : inProcess(step, atOnce === 1);
    running.set(
      step,
      ended.then((result) => {
        running.delete(step);
        results.push(result);
      }),
    );
  }
  return results;
}

async function withoutNeeds({ name, needs }) {
  console.log(`\n── ${name} ──\nnot run, because it needs this step, which failed: ${needs}`);
  return { name, passed: false, seconds: 0 };
}

async function inProcess({ name }, isShown) {
  const start = performance.now();
  const title = `\n── ${name} ──`;
  if (isShown) console.log(title);
  const stdio = isShown ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), only, name], { cwd: root, stdio });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => output.push(bytes));
  const status = await new Promise((ended) => child.on("error", ended).on("close", ended));
  if (!isShown) process.stdout.write(`${title}\n${Buffer.concat(output)}`);
  return { name, passed: status === 0, seconds: (performance.now() - start) / 1000 };
}

async function runOnly(name) {
  await steps.find((step) => step.name === name).run();
}
