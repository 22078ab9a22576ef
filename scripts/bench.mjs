// `npm run bench`: how fast and how big the package is, beside what it is held to. Takes a few minutes.
// `npm run bench -- size` (or streams, cold, speed) measures only that.

import { reportColdStart } from "../bench/cold.mjs";
import { checkSameWork, reportComparisons } from "../bench/compare.mjs";
import { summary } from "../bench/print.mjs";
import { reportBackends, reportSize } from "../bench/size.mjs";
import { checkSameStreams, reportStreamMemory, reportStreams } from "../bench/streams/report.mjs";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

const parts = {
  speed: async () => {
    checkSameWork(await import("../pkg/dist/index.js"));
    reportComparisons();
  },
  streams: async () => {
    const pairs = checkSameStreams(await import("../pkg/dist/index.js"));
    reportStreams(pairs);
    reportStreamMemory(pairs);
  },
  cold: reportColdStart,
  size: async () => {
    reportSize();
    console.log();
    await reportBackends();
  },
};

await main(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !Object.hasOwn(parts, name));
  if (unknown)
    throw new CommandFailed(`nothing to measure is called ${unknown}; there are: ${Object.keys(parts).join(", ")}`);
  await build();
  console.log(`Node ${process.versions.node}\n`);
  for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
    await parts[name]();
    console.log();
  }
  console.log(summary());
});
