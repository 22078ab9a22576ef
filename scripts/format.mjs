// `npm run format`: formats all files as `npm run lint` requires.

import { main, run } from "./lib/run.mjs";
import { setUpNpm, setUpRust } from "./lib/setup.mjs";
import { rustFiles } from "./lib/stamps.mjs";

await main(async () => {
  await setUpNpm();
  setUpRust();
  run("rustfmt", rustFiles());
  run("node_modules/.bin/biome", ["check", "--write"]);
});
