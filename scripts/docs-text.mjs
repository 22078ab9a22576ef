// `npm run docs:text`: writes docs/text-formats.md from the built package.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/all.mjs";
import { main, root } from "./lib/run.mjs";
import { page } from "./text-formats/page.mjs";

await main(async () => {
  await build();
  writeFileSync(join(root, "docs/text-formats.md"), page(await import(join(root, "pkg/dist/text/node.js"))));
  return 0;
});
