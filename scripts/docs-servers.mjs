// `npm run docs:servers`: writes docs/servers.md from the table of servers of the built package.

import { build } from "./build/all.mjs";
import { main } from "./lib/run.mjs";
import { writePage } from "./servers/page.mjs";

await main(async () => {
  await build({ quick: true });
  writePage(await import("../pkg/dist/index.js"));
});
