// `npm run docs:warnings`: writes docs/warnings.md with the built package.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/all.mjs";
import { main, root } from "./lib/run.mjs";
import { page } from "./warnings/table.mjs";

await main(async () => {
  await build();
  writeFileSync(join(root, "docs/warnings.md"), page(await import(join(root, "pkg/dist/node.js"))));
  return 0;
});
