// Runs the faults through one library, one after the other: `node worker.mjs SIDE [TITLE]` prints `[{title, score, why, seen}]`.

import { faults } from "./faults.mjs";
import { scoreOf } from "./score.mjs";
import { startServer } from "./server.mjs";
import { reportOf, sides } from "./sides.mjs";

/** A run that takes this much longer than its own limit did not end, in milliseconds. */
const GRACE = 2000;
const [side, title] = process.argv.slice(2);

const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(reportOf(error)));
process.on("uncaughtException", (error) => unhandled.push(reportOf(error)));

const rows = [];
for (const fault of faults.filter((each) => title === undefined || each.title === title)) {
  const seen = await observe(fault);
  const [score, why] = scoreOf(fault, seen);
  rows.push({ title: fault.title, score, why, seen });
}
process.stdout.write(JSON.stringify(rows), () => process.exit());

async function observe(fault) {
  const { url, close } = await startServer(fault);
  const runs = [];
  const execute = (args) => {
    runs.push(structuredClone(args));
    return fault.execute(args);
  };
  unhandled.length = 0;
  const start = performance.now();
  const late = new Promise((resolve) => setTimeout(resolve, fault.runMs + GRACE, undefined));
  const ended = sides[side](fault, url, execute).catch((error) => ({
    isNormal: false,
    text: "",
    report: reportOf(error),
  }));
  const end = await Promise.race([ended, late]);
  close();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const ms = Math.round(performance.now() - start);
  return { hasEnded: end !== undefined, ...end, runs, unhandled: [...unhandled], ms };
}
