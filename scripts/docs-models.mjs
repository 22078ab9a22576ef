// `npm run docs:models`: writes docs/models.md from the table of models of the built package.

import { build } from "./build/all.mjs";
import { main } from "./lib/run.mjs";
import { writePage } from "./models/page.mjs";

await main(async () => {
  await build({ quick: true });
  const { modelFacts } = await import("../pkg/dist/index.js");
  writePage(modelFacts);
});
