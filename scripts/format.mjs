// `npm run format`: writes the one formatting that `npm run lint` accepts.

import { main, run } from "./lib/run.mjs";
import { setUpNpm, setUpRust } from "./lib/setup.mjs";

await main(async () => {
  await setUpNpm();
  setUpRust();
  run("cargo", ["fmt", "--all"]);
  run("node_modules/.bin/biome", ["check", "--write"]);
});
