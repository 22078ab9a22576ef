// `npm run build`: builds the package in pkg/, ready to publish, and the playground's static files in build/playground/.

import { build } from "./build/all.mjs";
import { buildPlayground } from "./build/playground.mjs";
import { main } from "./lib/run.mjs";

await main(async () => {
  await build();
  await buildPlayground();
});
