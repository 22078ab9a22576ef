// `npm run docs:reference`: writes docs/functions.md, docs/options.md and docs/command.md from the package.

import { build } from "./build/all.mjs";
import { main } from "./lib/run.mjs";
import { writePages } from "./reference/pages.mjs";

await main(async () => {
  await build({ quick: true });
  writePages();
});
