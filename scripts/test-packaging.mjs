// `npm run test:packaging`: the tarball in every runtime, bundler and compiler of tests/packaging/runtimes.mjs, each in a clean project
// with its packages installed. `npm run test:packaging -- deno bun` runs only those.

import { runtimes } from "../tests/packaging/runtimes.mjs";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";
import { setUpChromium } from "./lib/setup.mjs";
import { testNode } from "./lib/tests.mjs";

await main(async () => {
  const known = Object.keys(runtimes);
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown) throw new CommandFailed(`nothing is called ${unknown}; there are: ${known.join(", ")}`);
  await build();
  const names = asked.length > 0 ? asked : known;
  const needsPage = (name) => Object.values(runtimes[name].entries).some(({ page }) => page);
  if (names.some(needsPage)) setUpChromium();
  testNode("tests/packaging", { PACKAGING: names.join(" ") });
});
