// `npm run docs:faults`: runs the faults of bench/faults through toolwire and other libraries, and writes docs/toolkit/faults.md.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageOf, runFaults } from "../bench/faults/report.mjs";
import { build } from "./build/all.mjs";
import { main, root } from "./lib/run.mjs";

await main(async () => {
  await build({ quick: true });
  writeFileSync(join(root, "docs/toolkit/faults.md"), pageOf(await runFaults()));
  return 0;
});
