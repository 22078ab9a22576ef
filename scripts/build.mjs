// `npm run build`: builds the package in pkg/, ready to publish, and the playground's static files in build/playground/.
// `npm run build -- --quick` builds only the package, to try it out: wasm that changed is not optimised.

import { build } from "./build/all.mjs";
import { buildPlayground } from "./build/playground.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

await main(async () => {
  const unknown = process.argv.slice(2).find((argument) => argument !== "--quick");
  if (unknown) throw new CommandFailed(`${unknown} is no option of this command; there is --quick`);
  if (!process.argv.includes("--quick")) {
    await build();
    return buildPlayground();
  }
  if (!(await build({ quick: true }))) console.log("pkg/ is not optimised; npm run build makes the package to publish");
});
