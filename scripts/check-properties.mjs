// `npm run check:properties -- --seeds 200`: the properties with seeds 1 to 200. `--from 50` begins with another seed, and
// `--cases 1000` changes the number of cases for each seed. The programs are built once.

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { properties, testPrograms } from "./lib/properties.mjs";
import { main, root } from "./lib/run.mjs";

const { seeds, from, cases } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    from: { type: "string", default: "1" },
    cases: { type: "string" },
  },
}).values;

await main(() => {
  const programs = testPrograms();
  const failed = [];
  for (let seed = Number(from); seed < Number(from) + Number(seeds); seed++) {
    const env = { ...process.env, PROPERTY_SEED: String(seed), ...(cases && { PROPERTY_CASES: cases }) };
    for (const [name, program] of programs) {
      const { status, stdout } = spawnSync(program, properties[name], { cwd: root, env, encoding: "utf8" });
      if (status === 0) continue;
      failed.push(seed);
      console.log(`PROPERTY_SEED=${seed} cargo test --test ${name} ${properties[name].join(" ")}\n${stdout}`);
    }
  }
  console.log(
    `seeds: ${Number(seeds) - new Set(failed).size} passed, ${new Set(failed).size} failed ${failed.join(" ")}`,
  );
  return failed.length === 0 ? 0 : 1;
});
